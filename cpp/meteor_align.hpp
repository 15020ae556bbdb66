// METEOR's search for the best alignment among all matches: a beam over the positions of the reference.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "meteor_match.hpp"

namespace tercet {

// Words of the reference, words of the hypothesis that stand for them, and the module that found them.
struct Link {
    std::uint32_t reference, reference_length, start, length, module;
};

class MeteorAligner {
public:
    explicit MeteorAligner(std::size_t beam) : beam_(beam) {}

    // The links of the best alignment, in the order of the reference.
    const std::vector<Link>& align(const MeteorMatcher& matcher, std::size_t hypothesis_length, std::size_t reference_length);

private:
    static constexpr std::uint32_t nothing = 0xFFFFFFFF;

    // An alignment of the reference up to some position.
    struct Partial {
        std::uint32_t matched = 0, chunks = 0;
        std::int64_t distance = 0;
        std::uint32_t next = 0;             // first position of the reference that is still open
        std::uint32_t chunk_end = nothing;  // where in the hypothesis the open chunk would go on
        std::uint32_t trail = nothing;      // last link, in trails_
    };
    // Good ones first: more words matched, fewer chunks, less distance, found earlier.
    struct Rank {
        std::uint64_t cost;
        std::int64_t distance;
        std::uint32_t order;
        auto operator<=>(const Rank&) const = default;
    };
    struct Proposal {
        Partial partial;
        std::uint32_t parent;
        Link link;  // without length: nothing is linked
    };
    struct Step {
        Link link;
        std::uint32_t before;
    };

    const std::size_t beam_;
    const MeteorMatcher* matcher_ = nullptr;
    std::size_t width_ = 0;
    std::vector<Partial> partials_;
    std::vector<Bits> used_, next_used_;  // words of the hypothesis, a row for each of partials_
    std::vector<Step> trails_;
    std::vector<Rank> ranks_;
    std::vector<Proposal> proposals_;
    std::vector<Link> certain_, best_;     // certain_: a link for each position of the reference, or one without length
    std::vector<std::uint8_t> coverage_;  // of the reference: by no match, by one, by more
    std::vector<Bits> once_, twice_, certain_used_;

    void find_certain(std::size_t hypothesis_length, std::size_t reference_length);
    void extend(std::uint32_t parent, std::uint32_t position);
    void propose(const Partial& partial, std::uint32_t parent, const Link& link);
    void keep_best();
    bool is_free(std::uint32_t parent, std::uint32_t position, const PhraseMatch& match) const;
};

}  // namespace tercet
