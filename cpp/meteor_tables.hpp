// METEOR's language data as kernels read them: flat arrays in a file that Python has mapped
// (src/tercet/language/meteor_tables.py describes it).
#pragma once

#include <algorithm>
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

    std::span<const char> text;  // words, sorted, end to end
    Numbers text_start;
    Lists bases;        // of irregular forms
    Lists synsets;      // of words
    Lists paraphrases;  // of phrases, which are nodes of a trie; a word alone is the node of its own number
    Numbers child_start, last_word;

    std::uint32_t words() const { return static_cast<std::uint32_t>(text_start.size() - 1); }

    std::uint32_t word(Text spelled) const {
        std::uint32_t low = 0, high = words();
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (spelling(middle) < spelled) low = middle + 1; else high = middle;
        }
        return low < words() && spelling(low) == spelled ? low : none;
    }

    // The phrase that is longer by one word.
    std::uint32_t child(std::uint32_t node, std::uint32_t word) const {
        const auto first = last_word.begin() + child_start[node], last = last_word.begin() + child_start[node + 1];
        const auto found = std::lower_bound(first, last, word);
        return found != last && *found == word ? static_cast<std::uint32_t>(found - last_word.begin()) : none;
    }

private:
    Text spelling(std::uint32_t word) const {
        return {text.data() + text_start[word], text_start[word + 1] - text_start[word]};
    }
};

}  // namespace tercet
