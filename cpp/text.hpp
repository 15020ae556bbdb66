// Text as kernels see it: UTF-8 views borrowed from Python, code points, white space, and word ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tercet {

using Text = std::string_view;
using Texts = std::vector<Text>;

// One or more references for each segment, flat: those of segment i are texts[start[i]] to texts[start[i + 1]].
struct References {
    Texts texts;
    std::vector<std::size_t> start;

    std::span<const Text> of(std::size_t segment) const {
        return {texts.data() + start[segment], start[segment + 1] - start[segment]};
    }
};

// The code point at p, which is moved past it. Texts come from Python, so the encoding is sound
// (lone surrogates are encoded like any other code point of their size).
inline char32_t next_code_point(const char*& p) {
    const auto byte = [&] { return static_cast<unsigned char>(*p++); };
    const char32_t first = byte();
    if (first < 0x80) return first;
    if (first < 0xE0) return (first & 0x1F) << 6 | (byte() & 0x3F);
    if (first < 0xF0) {
        const char32_t second = byte() & 0x3F;
        return (first & 0x0F) << 12 | second << 6 | (byte() & 0x3F);
    }
    const char32_t second = byte() & 0x3F, third = byte() & 0x3F;
    return (first & 0x07) << 18 | second << 12 | third << 6 | (byte() & 0x3F);
}

// The reverse of next_code_point().
inline void append_utf8(std::string& text, char32_t c) {
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | c >> 6);
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | c >> 18);
        text += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
}

// White space as Python's str.split() and str.strip() see it.
inline bool is_space(char32_t c) {
    if (c < 0x80) return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
    return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

// A text without white space at its ends, as str.strip() leaves it.
inline Text strip(Text text) {
    const char *p = text.data(), *end = p + text.size(), *first = nullptr, *last = p;
    while (p < end) {
        const char* here = p;
        if (is_space(next_code_point(p))) continue;
        if (!first) first = here;
        last = p;
    }
    return first ? Text(first, last - first) : Text();
}

// Calls with_word(word, marks) for the words of a text, as str.split() finds them. `marks` are the bits that the table
// gives to the word's bytes, all together: what a word holds is known without a second look at it.
using ByteMarks = std::array<std::uint8_t, 256>;

template <class WithWord>
void for_each_word(Text text, const ByteMarks& table, WithWord with_word) {
    const char *p = text.data(), *end = p + text.size();
    while (p < end) {
        const char* word = p;
        std::uint8_t marks = 0;
        const char* here = p;
        while (p < end) {
            here = p;
            const auto byte = static_cast<unsigned char>(*p);
            if (byte < 0x80 ? is_space(byte) : is_space(next_code_point(p))) break;
            if (byte < 0x80) ++p;
            marks |= table[byte];
            here = p;
        }
        if (here > word) with_word(Text(word, here - word), marks);
        if (p < end && p == here) ++p;  // past an ASCII space
    }
}

// Appends the words of a text, as str.split() finds them.
inline void split(Text text, Texts& words) {
    static constexpr ByteMarks none{};
    for_each_word(text, none, [&](Text word, std::uint8_t) { words.push_back(word); });
}

// Small numbers for words: 1, 2, 3, ... in order of first appearance. Forgets everything in constant time.
class Vocabulary {
public:
    static constexpr std::uint32_t unknown = 0;

    Vocabulary() : slots_(256) {}

    void clear() {
        size_ = 0;
        if (++age_ == 0) {  // the stamp has come round: old slots would look alive
            slots_.assign(slots_.size(), Slot{});
            age_ = 1;
        }
    }
    std::uint32_t size() const { return size_; }

    std::uint32_t add(Text word) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = find_slot(word, hash(word));
        if (slot.age != age_) slot = {word, hash(word), ++size_, age_};
        return slot.id;
    }
    std::uint32_t find(Text word) {
        const Slot& slot = find_slot(word, hash(word));
        return slot.age == age_ ? slot.id : unknown;
    }

private:
    struct Slot {
        Text word;
        std::uint64_t hash = 0;
        std::uint32_t id = 0, age = 0;
    };
    std::vector<Slot> slots_;  // a power of two, at most half full
    std::uint32_t size_ = 0, age_ = 1;

    static std::uint64_t hash(Text word) {
        std::uint64_t h = 0x9E3779B97F4A7C15ull ^ word.size(), chunk;
        const char* p = word.data();
        std::size_t left = word.size();
        for (; left >= 8; p += 8, left -= 8) {
            std::memcpy(&chunk, p, 8);
            h = (h ^ chunk) * 0xD6E8FEB86659FD93ull;
            h ^= h >> 32;
        }
        if (left >= 4) {  // two loads that overlap
            std::uint32_t head, tail;
            std::memcpy(&head, p, 4);
            std::memcpy(&tail, p + left - 4, 4);
            chunk = std::uint64_t{head} << 32 | tail;
        } else {
            const auto byte = [&](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
            chunk = left ? byte(0) << 16 | byte(left / 2) << 8 | byte(left - 1) : 0;
        }
        h = (h ^ chunk) * 0xD6E8FEB86659FD93ull;
        return h ^ h >> 29;
    }
    Slot& find_slot(Text word, std::uint64_t h) {
        for (std::size_t i = h;; ++i) {
            Slot& slot = slots_[i & (slots_.size() - 1)];
            if (slot.age != age_ || (slot.hash == h && slot.word == word)) return slot;
        }
    }
    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.age == age_) find_slot(slot.word, slot.hash) = slot;
    }
};

}  // namespace tercet
