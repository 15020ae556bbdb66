#include "meteor_normalize.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tercet {

namespace {

using Points = std::u32string_view;

// A full stop of an ellipsis, while single full stops are looked for. Not a code point, so no text holds it.
constexpr char32_t ellipsis_dot = 0x110000;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_lower(char32_t c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char32_t c) {  // Latin and Cyrillic
    if (c < 0x80) return is_lower(c | 0x20);
    static constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x17E}, {0x400, 0x527}, {0x1D00, 0x1D7F}, {0xA640, 0xA66E}, {0xA67E, 0xA697}};
    return std::any_of(std::begin(ranges), std::end(ranges), [c](auto range) { return c >= range.first && c <= range.second; });
}
bool is_alphanumeric(char32_t c) { return is_digit(c) || is_letter(c); }

template <class Class>
auto not_in(Class in_class) {
    return [in_class](char32_t c) { return !in_class(c); };
}

bool is_java_space(char32_t c) { return c == ' ' || (c >= 0x09 && c <= 0x0D); }
bool is_separator(char32_t c) { return is_java_space(c) && c != 0x0B; }  // of StringTokenizer
bool is_wide_space(char32_t c) {
    return c == ' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

// Everything but letters, digits, white space, and the marks that depend on their neighbours.
bool stands_alone(char32_t c) {
    return !is_alphanumeric(c) && !is_java_space(c) && c != '.' && c != '\'' && c != '`' && c != ',' && c != '-' &&
           c != 0x2018 && c != 0x2019;
}
bool stands_alone_in_any_script(char32_t c) {
    return (c >= '!' && c <= '+') || c == '-' || c == '/' || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= 0xBF) || c == 0x60C;
}

}  // namespace

std::string MeteorNormalizer::operator()(Text line) {
    text_.assign(1, U' ');
    for (const char *p = line.data(), *end = p + line.size(); p < end;) text_ += next_code_point(p);
    text_ += U' ';

    if (style_ == MeteorStyle::any_script)
        any_script();
    else
        western();

    std::replace(text_.begin(), text_.end(), ellipsis_dot, U'.');
    if (!punctuation_ && style_ != MeteorStyle::any_script) drop_punctuation();
    std::replace_if(text_.begin(), text_.end(), is_wide_space, U' ');
    Points trimmed = text_;
    while (!trimmed.empty() && trimmed.front() <= ' ') trimmed.remove_prefix(1);
    while (!trimmed.empty() && trimmed.back() <= ' ') trimmed.remove_suffix(1);

    std::string result;
    result.reserve(trimmed.size() + trimmed.size() / 4);
    for (char32_t c : trimmed) append_utf8(result, c);
    return result;
}

void MeteorNormalizer::western() {
    set_apart(stands_alone);
    uniform_marks();
    const auto before_hyphen = [](char32_t c) { return is_alphanumeric(c) || c == '.'; };
    replace_between(before_hyphen, '-', is_alphanumeric, U" ");
    split_contractions();
    split_full_stops();
}

void MeteorNormalizer::any_script() {
    uniform_marks();
    replace_between(not_in(is_digit), '.', not_in(is_digit), U" . ");
    replace_between(is_digit, '.', not_in(is_digit), U" . ");
    replace_between(not_in(is_digit), '.', is_digit, U" . ");
    set_apart(stands_alone_in_any_script);
    if (!punctuation_)
        std::replace_if(text_.begin(), text_.end(), [](char32_t c) { return c == '.' || stands_alone_in_any_script(c); }, U' ');
}

void MeteorNormalizer::uniform_marks() {
    set_apart_runs_of_dots();
    replace_between(not_in(is_digit), ',', not_in(is_digit), U" , ");
    replace_between(is_digit, ',', not_in(is_digit), U" , ");
    replace_between(not_in(is_digit), ',', is_digit, U" , ");
    for (char32_t quote : {U'`', U'\x2018', U'\x2019'}) std::replace(text_.begin(), text_.end(), quote, U'\'');
    replace(U"\x201C", U" \" ");
    replace(U"\x201D", U" \" ");
    replace(U"''", U" \" ");
    std::replace(text_.begin(), text_.end(), U'\x2013', U'-');
    replace(U"--", U"-");
}

void MeteorNormalizer::split_contractions() {
    if (style_ == MeteorStyle::other) return replace(U"'", U" ' ");
    const bool english = style_ == MeteorStyle::english;
    replace_between(not_in(is_letter), '\'', not_in(is_letter), U" ' ");
    if (english)  // not after digits: 1990's
        replace_between(not_in(is_alphanumeric), '\'', is_letter, U" ' ");
    else
        replace_between(not_in(is_letter), '\'', is_letter, U" ' ");
    replace_between(is_letter, '\'', not_in(is_letter), U" ' ");
    replace_between(is_letter, '\'', is_letter, english ? U" '" : U"' ");  // don 't, l' eau
    if (english) replace_between(is_digit, '\'', [](char32_t c) { return c == 's'; }, U" '");
}

// A full stop ends a sentence, unless it is part of an acronym (it goes), of an abbreviation, or of what goes on in lower
// case (it stays).
void MeteorNormalizer::split_full_stops() {
    next_.clear();
    const Points text = text_;
    std::size_t begin = 0, end = 0;
    const auto advance = [&] {  // to the next token
        begin = end;
        while (begin < text.size() && is_separator(text[begin])) ++begin;
        for (end = begin; end < text.size() && !is_separator(text[end]);) ++end;
        return text.substr(begin, end - begin);
    };
    for (Points token = advance(), following; !token.empty(); token = following) {
        following = advance();
        if (token.size() > 1 && token.back() == '.') {
            const Points head = token.substr(0, token.size() - 1);
            const bool acronym = head.find('.') != Points::npos && std::any_of(head.begin(), head.end(), is_letter);
            if (acronym) {
                std::copy_if(token.begin(), token.end(), std::back_inserter(next_), [](char32_t c) { return c != '.'; });
            } else {
                std::string word;
                for (char32_t c : head) append_utf8(word, c);
                const auto known = abbreviations_.find(word);
                const bool listed = known != abbreviations_.end();
                const char32_t coming = following.empty() ? U' ' : following.front();
                const bool stays = (listed && !known->second) || is_lower(coming) || (listed && is_digit(coming));
                next_.append(head).append(stays ? U"." : U" .");
            }
        } else {
            next_.append(token);
        }
        next_ += U' ';
    }
    text_.swap(next_);
}

void MeteorNormalizer::drop_punctuation() { std::replace_if(text_.begin(), text_.end(), not_in(is_alphanumeric), U' '); }

template <class Class>
void MeteorNormalizer::set_apart(Class in_class) {
    if (std::none_of(text_.begin(), text_.end(), in_class)) return;
    next_.clear();
    for (char32_t c : text_) {
        if (in_class(c))
            next_.append({U' ', c, U' '});
        else
            next_ += c;
    }
    text_.swap(next_);
}

void MeteorNormalizer::set_apart_runs_of_dots() {
    if (text_.find(U"..") == std::u32string::npos) return;
    next_.clear();
    for (std::size_t i = 0; i < text_.size();) {
        const std::size_t end = std::min(text_.find_first_not_of(U'.', i), text_.size());
        if (end - i > 1) {
            next_.append(1, U' ').append(end - i, ellipsis_dot).append(1, U' ');
            i = end;
        } else {
            next_ += text_[i++];
        }
    }
    text_.swap(next_);
}

void MeteorNormalizer::replace(std::u32string_view from, std::u32string_view to) {
    std::size_t at = text_.find(from);
    if (at == std::u32string::npos) return;
    next_.clear();
    std::size_t done = 0;
    for (; at != std::u32string::npos; done = at + from.size(), at = text_.find(from, done))
        next_.append(text_, done, at - done).append(to);
    text_.swap(next_.append(text_, done));
}

template <class Left, class Right>
void MeteorNormalizer::replace_between(Left left, char32_t mark, Right right, std::u32string_view with) {
    if (text_.find(mark) == std::u32string::npos) return;
    next_.clear();
    for (std::size_t i = 0; i < text_.size();) {
        if (i + 2 < text_.size() && text_[i + 1] == mark && left(text_[i]) && right(text_[i + 2])) {
            next_.append(1, text_[i]).append(with).append(1, text_[i + 2]);
            i += 3;  // a match takes its neighbours with it: the next one cannot have them
        } else {
            next_ += text_[i++];
        }
    }
    text_.swap(next_);
}

void split_meteor_words(Text line, Texts& words) {
    const auto separates = [](char c) { return is_separator(static_cast<unsigned char>(c)); };
    for (auto p = line.begin();;) {
        p = std::find_if_not(p, line.end(), separates);
        if (p == line.end()) return;
        const auto end = std::find_if(p, line.end(), separates);
        words.emplace_back(&*p, end - p);
        p = end;
    }
}

}  // namespace tercet
