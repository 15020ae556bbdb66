#include "features.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace tercet {

namespace {

constexpr std::uint32_t before_sentence = 0x42454647u, after_sentence = 0x41465445u;

bool latin1_capital(char32_t c) { return c >= 0xC0 && c <= 0xDE && c != 0xD7; }

// Where a character starts in UTF-8.
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

Text prefix(Text word, int characters) {
    std::size_t end = 0;
    for (; end < word.size(); ++end)
        if (starts_character(word[end]) && characters-- == 0) break;
    return word.substr(0, end);
}

Text suffix(Text word, int characters) {
    std::size_t begin = word.size();
    while (begin > 0 && characters > 0)
        if (starts_character(word[--begin])) --characters;
    return word.substr(begin);
}

}  // namespace

std::string lowered(Text word) {
    std::string result(word);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const auto byte = static_cast<unsigned char>(result[i]);
        if (byte >= 'A' && byte <= 'Z') result[i] = static_cast<char>(byte + 32);
        else if (byte >= '0' && byte <= '9') result[i] = '0';
        else if (byte == 0xC3 && i + 1 < result.size()) {
            const auto next = static_cast<unsigned char>(result[++i]);
            if (latin1_capital(0xC0 | (next & 0x3F)) && next < 0xA0) result[i] = static_cast<char>(next + 32);
        }
    }
    return result;
}

std::string shape(Text word) {
    std::string result;
    const char *p = word.data(), *end = p + word.size();
    while (p < end && result.size() < 8) {
        const char32_t c = next_code_point(p);
        char kind;
        if (c < 0x80)
            kind = c >= 'A' && c <= 'Z' ? 'X' : c >= 'a' && c <= 'z' ? 'x' : c >= '0' && c <= '9' ? '0' : static_cast<char>(c);
        else
            kind = latin1_capital(c) ? 'X' : c >= 0xDF && c <= 0x24F && c != 0xF7 ? 'x' : 'u';
        if (result.empty() || result.back() != kind) result.push_back(kind);
    }
    return result;
}

WeightTable::WeightTable(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> starts,
                         std::span<const std::uint8_t> labels, std::span<const std::int16_t> weights)
    : slots_(std::bit_ceil(2 * keys.size() + 2)) {
    if (starts.size() != keys.size() + 1 || labels.size() != weights.size() || starts.front() != 0 ||
        starts.back() != weights.size() || !std::is_sorted(starts.begin(), starts.end()))
        throw std::invalid_argument("a table of weights whose parts do not fit together");
    for (std::size_t i = 0; i < weights.size(); ++i) entries_.push_back({weights[i], labels[i]});
    entries_.push_back({0, 0});  // so that there is a first one to fetch
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (starts[i] == starts[i + 1]) continue;
        std::size_t s = place(keys[i]);
        while (slots_[s].run.begin != slots_[s].run.end) s = (s + 1) & (slots_.size() - 1);
        slots_[s] = {keys[i], {starts[i], starts[i + 1]}};
    }
    if (!labels.empty()) labels_ = std::size_t{1} + *std::max_element(labels.begin(), labels.end());
}

Templates::Templates(const std::vector<std::string>& descriptions) {
    for (const std::string& description : descriptions) {
        std::istringstream words(description);
        std::vector<Part> parts;
        for (std::string word; words >> word;) {
            const std::size_t open = word.find('[');
            int offset = 0;
            if (open == std::string::npos || word.back() != ']' ||
                std::from_chars(word.data() + open + 1, word.data() + word.size() - 1, offset).ptr !=
                    word.data() + word.size() - 1)
                throw std::invalid_argument("not a template: " + description);
            parts.push_back({attribute(word.substr(0, open)), offset});
        }
        templates_.push_back(std::move(parts));
    }
}

std::size_t Templates::attribute(const std::string& name) {
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    const std::string stem = name.substr(0, digits);
    int number = 0;
    const auto read = std::from_chars(name.data() + digits, name.data() + name.size(), number);
    const bool numbered = digits < name.size() && read.ptr == name.data() + name.size();
    Attribute wanted{Kind::form, number};
    if (name == "form") wanted.kind = Kind::form;
    else if (name == "lower") wanted.kind = Kind::lower;
    else if (name == "shape") wanted.kind = Kind::shape;
    else if (name == "class") wanted.kind = Kind::word_class;
    else if (stem == "prefix" && numbered) wanted.kind = Kind::prefix;
    else if (stem == "suffix" && numbered) wanted.kind = Kind::suffix;
    else if (stem == "column" && numbered && number < 64) wanted.kind = Kind::column;
    else throw std::invalid_argument("unknown attribute " + name);
    if (wanted.kind == Kind::column) columns_ = std::max<std::size_t>(columns_, number + 1);
    const std::size_t place = std::find(attributes_.begin(), attributes_.end(), wanted) - attributes_.begin();
    if (place == attributes_.size()) attributes_.push_back(wanted);
    return place;
}

void Templates::read(std::span<const Text> tokens, const std::vector<const std::int32_t*>& columns,
                     const Lexicon& lexicon, std::vector<std::uint32_t>& values) const {
    values.resize(tokens.size() * attributes_.size());
    std::uint32_t* value = values.data();
    for (std::size_t t = 0; t < tokens.size(); ++t) {
        const std::string low = lowered(tokens[t]);
        for (const Attribute& attribute : attributes_) switch (attribute.kind) {
                case Kind::form: *value++ = hash_bytes(tokens[t]); break;
                case Kind::lower: *value++ = hash_bytes(low); break;
                case Kind::shape: *value++ = hash_bytes(shape(tokens[t])); break;
                case Kind::prefix: *value++ = hash_bytes(prefix(low, attribute.number)); break;
                case Kind::suffix: *value++ = hash_bytes(suffix(low, attribute.number)); break;
                case Kind::word_class: *value++ = lexicon.find(hash_bytes(low)); break;
                case Kind::column: *value++ = static_cast<std::uint32_t>(columns[attribute.number][t]); break;
            }
    }
}

void Templates::keys_at(std::size_t place, std::size_t length, const std::vector<std::uint32_t>& values,
                        std::uint32_t* keys) const {
    for (std::size_t i = 0; i < templates_.size(); ++i) {
        std::uint32_t key = mix(0, static_cast<std::uint32_t>(i + 1));
        for (const Part& part : templates_[i]) {
            const std::ptrdiff_t t = static_cast<std::ptrdiff_t>(place) + part.offset;
            key = mix(key, t < 0                                            ? before_sentence
                           : t >= static_cast<std::ptrdiff_t>(length) ? after_sentence
                                                                      : values[t * attributes_.size() + part.attribute]);
        }
        keys[i] = key;
    }
}

}  // namespace tercet
