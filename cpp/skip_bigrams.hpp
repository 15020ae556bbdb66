// Skip-bigrams: ordered pairs of words with a gap between them (Lin & Och 2004), counted in linear memory.
//
// A text of n words has n (n - 1) / 2 of them, so they are never listed. For one first word at a time, a walk over each
// text counts the second words that follow; a table as long as the vocabulary holds these counts, and the next first
// word finds it empty again. Only words that both texts hold can match, so only they are walked over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ngrams.hpp"

namespace tercet {

// How many skip-bigrams there are among n words, with at most `skip` words between the two.
inline std::int64_t skip_bigrams(std::int64_t n, std::int64_t skip) {
    const std::int64_t reach = std::min(skip + 1, std::max<std::int64_t>(n - 1, 0));  // of the first of the two words
    return reach * n - reach * (reach + 1) / 2;
}

class SkipBigramMatcher {
public:
    struct Matches {
        std::int64_t near = 0;  // with at most `skip` words between
        std::int64_t any = 0;   // however far apart
    };

    // Symbols are at least 1 and at most `largest`. Matches are clipped: each as often as in the text with fewer.
    Matches match(std::span<const Symbol> ours, std::span<const Symbol> theirs, Symbol largest, std::size_t skip) {
        ours_.prepare(ours, largest);
        theirs_.prepare(theirs, largest);
        shared_.clear();
        for (Symbol word = 1; word <= largest; ++word)
            if (ours_.first[word] < ours.size() && theirs_.first[word] < theirs.size()) shared_.push_back(word);
        ours_.keep(ours, theirs_, theirs.size());
        theirs_.keep(theirs, ours_, ours.size());

        Matches matches;
        for (const Symbol word : shared_) {
            ours_.follow_near(ours, word, skip);
            theirs_.follow_near(theirs, word, skip);
            matches.near += clipped();
            ours_.follow_any(word);
            theirs_.follow_any(word);
            matches.any += clipped();
        }
        return matches;
    }

private:
    struct Side {
        std::vector<std::size_t> first, next;  // by word, by place: where it stands first, and where again
        std::vector<Symbol> kept;              // the words that the other text holds too, in order
        std::vector<std::size_t> first_kept;
        std::vector<std::int64_t> counts;  // by second word
        std::vector<Symbol> counted;       // which of them are not zero

        void prepare(std::span<const Symbol> words, Symbol largest) {
            first.assign(std::size_t{largest} + 1, words.size());
            next.resize(words.size());
            for (std::size_t i = words.size(); i-- > 0;) {
                next[i] = first[words[i]];
                first[words[i]] = i;
            }
            first_kept.resize(first.size());
            counts.resize(std::max(counts.size(), first.size()));
        }
        void keep(std::span<const Symbol> words, const Side& other, std::size_t other_size) {
            kept.clear();
            for (std::size_t i = 0; i < words.size(); ++i) {
                if (other.first[words[i]] == other_size) continue;
                if (first[words[i]] == i) first_kept[words[i]] = kept.size();
                kept.push_back(words[i]);
            }
        }
        void add(Symbol word, std::int64_t times) {
            if (counts[word] == 0) counted.push_back(word);
            counts[word] += times;
        }
        void follow_near(std::span<const Symbol> words, Symbol word, std::size_t skip) {
            for (std::size_t i = first[word]; i < words.size(); i = next[i])
                for (std::size_t j = i + 1; j < words.size() && j - i <= skip + 1; ++j) add(words[j], 1);
        }
        void follow_any(Symbol word) {
            std::int64_t before = 1;  // how often the first word has come so far
            for (std::size_t i = first_kept[word] + 1; i < kept.size(); ++i) {
                add(kept[i], before);
                before += kept[i] == word;
            }
        }
    };
    Side ours_, theirs_;
    std::vector<Symbol> shared_;

    // The matches of the first word at hand; both tables are empty afterwards.
    std::int64_t clipped() {
        std::int64_t matches = 0;
        for (const Symbol word : ours_.counted) {
            matches += std::min(ours_.counts[word], theirs_.counts[word]);
            ours_.counts[word] = 0;
        }
        for (const Symbol word : theirs_.counted) theirs_.counts[word] = 0;
        ours_.counted.clear();
        theirs_.counted.clear();
        return matches;
    }
};

}  // namespace tercet
