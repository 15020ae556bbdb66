// METEOR's matchers: which words and phrases of a hypothesis may stand for which of a reference.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "meteor_tables.hpp"
#include "text.hpp"

namespace tercet {

using WordIds = std::span<const std::uint32_t>;
using Bits = std::uint64_t;  // position p of the hypothesis is bit p % 64 of element p / 64

inline void set_bit(Bits* bits, std::uint32_t p) { bits[p / 64] |= Bits{1} << p % 64; }
inline bool has_bit(const Bits* bits, std::uint32_t p) { return bits[p / 64] >> p % 64 & 1; }

enum class MeteorModule : std::uint8_t { exact, stem, synonym, paraphrase };

// What the search gains from a match. One that is not exact counts half, and METEOR rounds each side down.
inline std::uint32_t gain(MeteorModule module, std::uint32_t reference_length, std::uint32_t length) {
    if (module == MeteorModule::exact) return reference_length + length;
    return reference_length / 2 + length / 2;
}

// What the matchers ask about words: one entry for each distinct word of a batch.
struct MeteorLexicon {
    std::vector<std::uint32_t> form, stem;  // as numbers to compare
    std::vector<std::uint32_t> entry;       // the word in the tables
    std::vector<std::vector<std::uint32_t>> synsets;
    std::vector<std::uint32_t> characters;
    std::vector<bool> function;
    std::uint32_t synset_count = 0;

    // Without tables there are no synonyms and no paraphrases.
    MeteorLexicon(const Texts& forms, const Texts& stems, std::vector<bool> function, const MeteorTables* tables);
};

// `length` words of the hypothesis from `start` on for `reference_length` words of the reference.
struct PhraseMatch {
    std::uint32_t reference_length, start, length;
};

// All that may stand for the words of a reference from one position on. Equal words have equal matches, so positions
// share them: a sentence that says one word 10,000 times has one such set, not 10,000.
struct Matches {
    std::uint32_t word, phrase;         // the word at the position and the longest known phrase from there on
    std::vector<Bits> rows;             // for every module its single-word matches, positions of the hypothesis
    std::vector<PhraseMatch> phrases;   // of the paraphrase module, in METEOR's order
    std::vector<std::uint32_t> starts;  // of `phrases`, sorted
    std::uint32_t phrase_gain;          // the most that one of `phrases` gains
    bool any;                           // is there any match?
};

// Phrases that occur in a sentence, found again by phrase.
class PhraseIndex {
public:
    struct Occurrence {
        std::uint32_t phrase, length, place;
    };
    void clear() { occurrences_.clear(); }
    // Phrases of one word, two words, ... that begin at a place.
    void add(std::span<const std::uint32_t> phrases, std::uint32_t place);
    std::span<const Occurrence> in_order() const { return occurrences_; }

    void sort();
    // Those of a phrase, in the order in which they were added.
    std::span<const Occurrence> of(std::uint32_t phrase) const;

private:
    std::vector<Occurrence> occurrences_, sorted_;
    std::array<Bits, 64> filter_;  // most phrases that are asked for do not occur: one bit tells
};

class MeteorMatcher {
public:
    MeteorMatcher(const MeteorLexicon& lexicon, const MeteorTables* tables, std::vector<MeteorModule> modules);

    // Finds the matches of every module. Of two equal sentences only the first module is asked.
    void match(WordIds hypothesis, WordIds reference);

    const std::vector<MeteorModule>& modules() const { return active_; }
    const Matches& at(std::size_t position) const { return distinct_[kind_[position]]; }
    const Bits* row(std::size_t position, std::size_t module) const { return &at(position).rows[module * width_]; }
    std::size_t width() const { return width_; }  // of a row, in elements

private:
    const MeteorLexicon& lexicon_;
    const MeteorTables* tables_;
    const std::vector<MeteorModule> modules_;
    std::vector<MeteorModule> active_;
    WordIds hypothesis_, reference_;
    std::size_t width_ = 0;
    std::vector<std::uint32_t> forms_, stems_;                      // of the words of the hypothesis
    std::vector<std::pair<std::uint32_t, std::uint32_t>> senses_;  // their synsets, each with the position

    std::vector<Matches> distinct_;  // the first `kinds_` are in use; the others keep their memory
    std::size_t kinds_ = 0;
    std::vector<std::uint32_t> kind_;  // position in the reference -> index in distinct_
    PhraseIndex hypothesis_phrases_, reference_phrases_;  // at positions; at kinds
    std::vector<std::uint32_t> found_;   // phrases at the position that is being looked at
    std::vector<std::uint32_t> marked_;  // synset -> the mark of the last word that was found in it
    std::uint32_t mark_ = 0;

    void find_kinds(bool phrases);
    void match_words(Matches& matches, MeteorModule module, Bits* row);
    void match_phrases();
    void summarize(Matches& matches) const;
    void phrases_from(WordIds sentence, std::size_t position);
};

}  // namespace tercet
