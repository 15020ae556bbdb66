// METEOR's language data as kernels read them: flat arrays in a file that Python has mapped
// (src/tercet/language/meteor_tables.py describes it).
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "text.hpp"

namespace tercet {

using Numbers = std::span<const std::uint32_t>;

// Lists of numbers, one after the other: list i is items[start[i]] to items[start[i + 1]].
struct Lists {
    Numbers items, start;

    Numbers operator[](std::uint32_t i) const { return items.subspan(start[i], start[i + 1] - start[i]); }
};

struct MeteorTables {
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::span<const char> text;  // words, end to end
    Numbers text_start, text_slot;
    Lists bases;        // of irregular forms
    Lists synsets;      // of words
    Lists paraphrases;  // of phrases, which are nodes of a trie; a word alone is the node of its own number
    Numbers parent, last_word, child_slot;

    std::uint32_t word(Text spelled) const {
        std::uint64_t key = 0xCBF29CE484222325;  // FNV-1a
        for (char c : spelled) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001B3;
        return find(text_slot, key, [&](std::uint32_t word) { return spelling(word) == spelled; });
    }

    // The phrase that is longer by one word.
    std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
        const std::uint64_t key = static_cast<std::uint64_t>(node) << 32 | word;
        return find(child_slot, key, [&](std::uint32_t other) { return last_word[other] == word && parent[other] == node; });
    }

private:
    // Open addressing in a power of two of slots, which is never full.
    template <class Equal>
    static std::uint32_t find(Numbers slots, std::uint64_t key, Equal equal) {
        std::size_t at = (key * 0x9E3779B97F4A7C15) >> (64 - std::countr_zero(slots.size()));
        while (slots[at] != none && !equal(slots[at])) at = (at + 1) & (slots.size() - 1);
        return slots[at];
    }
    Text spelling(std::uint32_t word) const {
        return {text.data() + text_start[word], text_start[word + 1] - text_start[word]};
    }
};

}  // namespace tercet
