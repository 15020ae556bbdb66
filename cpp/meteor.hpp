// METEOR 1.5 (Denkowski & Lavie 2014): hypothesis and reference aligned word by word and phrase by phrase.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "meteor_match.hpp"
#include "meteor_normalize.hpp"
#include "text.hpp"

namespace tercet {

// The sentences of a batch as numbers of their distinct words, so that Python stems and lowercases every word once.
class MeteorText {
public:
    // Lines are normalised first where a style is given.
    MeteorText(const Texts& hypotheses, const References& references, const MeteorStyle* style, bool punctuation,
               const Abbreviations& abbreviations);

    const std::vector<std::string>& words() const { return words_; }
    std::size_t pairs() const { return reference_of_.size(); }
    WordIds hypothesis(std::size_t pair) const { return sentence(hypothesis_of_[pair]); }
    WordIds reference(std::size_t pair) const { return sentence(reference_of_[pair]); }

private:
    std::vector<std::string> words_;
    std::vector<std::uint32_t> ids_;
    std::vector<std::size_t> start_{0};
    std::vector<std::size_t> hypothesis_of_, reference_of_;  // every segment with each of its references

    WordIds sentence(std::size_t i) const { return {ids_.data() + start_[i], start_[i + 1] - start_[i]}; }
};

struct MeteorOptions {
    std::vector<MeteorModule> modules;  // in the order of MeteorModule
    std::size_t beam = 40;
    bool characters = false;  // count characters of words, not words
};

// A row for each pair of a hypothesis and one of its references: lengths of both, function words of both; for each of
// four modules the matched content words of both and function words of both; chunks; matched words of both.
// Chunks are 0 where all words are matched in a single chunk: such a segment carries no penalty, nor does it add any.
inline constexpr std::size_t meteor_columns = 23;
void meteor(const MeteorText& text, const MeteorLexicon& lexicon, const MeteorTables* tables, const MeteorOptions& options,
            double* rows);

}  // namespace tercet
