// METEOR's language data as kernels read them: flat arrays in a file that Python has mapped
// (src/tercet/language/meteor_tables.py describes it).
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "text.hpp"

namespace tercet {

// A table whose numbers lead out of it: the file is damaged, or somebody else's.
struct DamagedTable : std::runtime_error {
    DamagedTable() : std::runtime_error("a table of language data is damaged; run `tercet resources verify`, and install it again") {}
};

// Numbers of a file. Any of them may be wrong, so each is checked before it becomes a place in memory.
struct Numbers : std::span<const std::uint32_t> {
    using std::span<const std::uint32_t>::span;

    std::uint32_t operator[](std::size_t i) const {
        if (i >= size()) throw DamagedTable();
        return data()[i];
    }
    Numbers part(std::size_t first, std::size_t last) const {
        if (first > last || last > size()) throw DamagedTable();
        return {data() + first, last - first};
    }
};

// Lists of numbers, one after the other: list i is items[start[i]] to items[start[i + 1]].
struct Lists {
    Numbers items, start;

    Numbers operator[](std::size_t i) const { return items.part(start[i], start[i + 1]); }
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

    Text spelling(std::size_t word) const {
        const std::size_t first = text_start[word], last = text_start[word + 1];
        if (first > last || last > text.size()) throw DamagedTable();
        return {text.data() + first, last - first};
    }

    // The phrase without its last word; it stands before those that are longer.
    std::uint32_t shorter(std::uint32_t node) const {
        const std::uint32_t before = parent[node];
        if (before != none && before >= node) throw DamagedTable();
        return before;
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
        if (slots.size() < 2 || !std::has_single_bit(slots.size())) throw DamagedTable();
        std::size_t at = (key * 0x9E3779B97F4A7C15) >> (64 - std::countr_zero(slots.size()));
        for (std::size_t tried = 0; tried < slots.size(); ++tried, at = (at + 1) & (slots.size() - 1))
            if (slots[at] == none || equal(slots[at])) return slots[at];
        throw DamagedTable();
    }
};

}  // namespace tercet
