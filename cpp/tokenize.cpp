#include "tokenize.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace tercet {

namespace {

std::vector<std::uint8_t>& character_classes() {
    static std::vector<std::uint8_t> classes;
    return classes;
}
CharacterClass class_of(char32_t c) { return static_cast<CharacterClass>(character_classes()[c]); }

void replace_all(std::string& text, Text from, Text to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII punctuation that always stands alone; not . , - ' which depend on their neighbours.
constexpr std::array<bool, 256> alone = [] {
    std::array<bool, 256> table{};
    for (auto [first, last] : {std::pair{'{', '~'}, {'[', '`'}, {' ', '&'}, {'(', '+'}, {':', '@'}, {'/', '/'}})
        for (int c = first; c <= last; ++c) table[static_cast<std::size_t>(c)] = true;
    return table;
}();
bool stands_alone(char c) { return alone[static_cast<unsigned char>(c)]; }

// Marks the bytes at which a Western rule could split a word.
constexpr ByteMarks western_marks = [] {
    ByteMarks marks{};
    for (std::size_t c = 0; c < marks.size(); ++c) marks[c] = alone[c] || c == '.' || c == ',' || c == '-';
    return marks;
}();

// What sacreBLEU takes for Chinese. Its extension B and compatibility supplement are written '\u20000'-'\u2a6d6' and
// '\u2f800'-'\u2fa1d', which Python reads as strings of two characters: in effect U+2001-U+2A6D and U+2F81-U+2FA1.
// Scores are equal only if that is kept.
bool is_chinese(char32_t c) {
    static constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F}, {0x3100, 0x312F},
        {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x32FF}, {0x3300, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB},
        {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
    for (auto [first, last] : ranges)
        if (c >= first && c <= last) return true;
    return false;
}

// The Western rules for a word between white space in which only one character could split it, as in most words that
// have any: there they come down to a look at its two neighbours. False if there is a second such character.
bool split_at_single_mark(Text word, Texts& tokens) {
    const auto marked = [](char c) { return western_marks[static_cast<unsigned char>(c)] != 0; };
    const auto found = std::find_if(word.begin(), word.end(), marked);
    if (std::any_of(found + 1, word.end(), marked)) return false;
    const auto at = static_cast<std::size_t>(found - word.begin());
    const char left = at > 0 ? word[at - 1] : ' ', right = at + 1 < word.size() ? word[at + 1] : ' ';
    const bool splits = *found == '-' ? is_digit(left) : !(is_stop(*found) && is_digit(left) && is_digit(right));
    if (!splits) {
        tokens.push_back(word);
        return true;
    }
    if (at > 0) tokens.push_back(word.substr(0, at));
    tokens.push_back(word.substr(at, 1));
    if (at + 1 < word.size()) tokens.push_back(word.substr(at + 1));
    return true;
}

}  // namespace

void set_character_classes(std::vector<std::uint8_t> classes) {
    if (classes.size() != 0x110000) throw std::invalid_argument("one class for each of the 0x110000 code points");
    character_classes() = std::move(classes);
}

std::string& Tokenizer::keep() {
    if (used_ == kept_.size()) kept_.push_back(std::make_unique<std::string>());
    kept_[used_]->clear();
    return *kept_[used_++];
}

void Tokenizer::operator()(Text line, Texts& tokens) {
    switch (kind_) {
        case Tokenization::none:
            return split(line, tokens);
        case Tokenization::character:
            for (const char *p = line.data(), *end = p + line.size(); p < end;) {
                const char* here = p;
                if (!is_space(next_code_point(p))) tokens.emplace_back(here, p - here);
            }
            return;
        case Tokenization::v13a: {
            if (line.find('\n') != Text::npos || line.find('&') != Text::npos || line.find("<skipped>") != Text::npos) {
                std::string& clean = keep();
                clean = line;
                for (auto [from, to] : {std::pair<Text, Text>{"<skipped>", ""}, {"-\n", ""}, {"\n", " "},
                                        {"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}})
                    replace_all(clean, from, to);
                line = clean;
            }
            return western(line, true, tokens);
        }
        case Tokenization::zh: {
            line = strip(line);
            std::string& spaced = keep();
            for (const char *p = line.data(), *end = p + line.size(); p < end;) {
                const char* here = p;
                const bool chinese = is_chinese(next_code_point(p));
                if (chinese) spaced += ' ';
                spaced.append(here, p);
                if (chinese) spaced += ' ';
            }
            return western(spaced, false, tokens);
        }
        case Tokenization::intl:
            return international(line, tokens);
    }
}

// The language-dependent part of mteval-v13a for Western languages. Its rules look at neighbouring characters only and
// white space is never a digit nor a stop, so they can be applied word by word; most words hold nothing to split.
// `padded`: the line has white space on both sides; otherwise its edges are bare and rules that need a neighbour fail.
void Tokenizer::western(Text line, bool padded, Texts& tokens) {
    for_each_word(line, western_marks, [&](Text word, bool may_split) {
        if (!may_split) {
            tokens.push_back(word);
            return;
        }
        const bool bare_left = !padded && word.data() == line.data();
        const bool bare_right = !padded && word.data() + word.size() == line.data() + line.size();
        if (!bare_left && !bare_right && split_at_single_mark(word, tokens)) return;
        before_.clear();
        if (!bare_left) before_ += ' ';
        for (char c : word) {
            if (stands_alone(c)) before_ += {' ', c, ' '};
            else before_ += c;
        }
        if (!bare_right) before_ += ' ';

        const auto rewrite = [&](auto matches, Text left, Text middle, Text right) {
            after_.clear();
            for (std::size_t i = 0; i < before_.size(); ++i) {
                if (i + 1 < before_.size() && matches(before_[i], before_[i + 1])) {
                    after_.append(left).append(1, before_[i]).append(middle).append(1, before_[i + 1]).append(right);
                    ++i;
                } else {
                    after_ += before_[i];
                }
            }
            before_.swap(after_);
        };
        rewrite([](char a, char b) { return !is_digit(a) && is_stop(b); }, "", " ", " ");
        rewrite([](char a, char b) { return is_stop(a) && !is_digit(b); }, " ", " ", "");
        rewrite([](char a, char b) { return is_digit(a) && b == '-'; }, "", " ", " ");

        std::string& text = keep();
        text = before_;
        split(text, tokens);
    });
}

// mteval-v14's international tokenization. The line's right edge is bare: sacreBLEU strips it there, and there only.
void Tokenizer::international(Text line, Texts& tokens) {
    if (character_classes().empty()) throw std::logic_error("the classes of characters have not been set");
    Texts words;
    split(line, words);
    for (const Text& word : words) {
        points_.clear();
        bool plain = true;
        for (const char *p = word.data(), *end = p + word.size(); p < end;) {
            points_ += next_code_point(p);
            plain = plain && class_of(points_.back()) < punctuation;
        }
        if (plain) {
            tokens.push_back(word);
            continue;
        }
        if (word.data() != line.data()) points_.insert(points_.begin(), U' ');
        if (&word != &words.back()) points_ += U' ';

        const auto rewrite = [&](auto matches, bool before_first) {
            rewritten_.clear();
            for (std::size_t i = 0; i < points_.size(); ++i) {
                if (i + 1 < points_.size() && matches(class_of(points_[i]), class_of(points_[i + 1]))) {
                    if (before_first) rewritten_ += U' ';
                    rewritten_ += points_[i];
                    rewritten_ += U' ';
                    rewritten_ += points_[++i];
                    if (!before_first) rewritten_ += U' ';
                } else {
                    rewritten_ += points_[i];
                }
            }
            points_.swap(rewritten_);
        };
        rewrite([](auto a, auto b) { return a != number && b == punctuation; }, false);
        rewrite([](auto a, auto b) { return a == punctuation && b != number; }, true);

        std::string& text = keep();
        for (char32_t c : points_) {
            const bool apart = class_of(c) == symbol;
            if (apart) text += ' ';
            append_utf8(text, c);
            if (apart) text += ' ';
        }
        split(text, tokens);
    }
}

}  // namespace tercet
