// METEOR's search for the best alignment among all matches: a beam over the positions of the reference.
#pragma once

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
    const std::vector<Link>& align(const MeteorMatcher& matcher, std::size_t reference_length);

private:
    static constexpr std::uint32_t nothing = 0xFFFFFFFF;

    // An alignment of the reference up to some position.
    struct Partial {
        std::int64_t cost = 0;  // one for each closed chunk, less 2^32 for each word matched: matches first, then chunks
        std::int64_t distance = 0;
        std::uint32_t next = 0;             // first position of the reference that is not dealt with
        std::uint32_t chunk_end = nothing;  // where in the hypothesis the open chunk would go on
        std::uint32_t trail = nothing;      // its last link that was not certain, in trails_
        std::uint32_t row = 0;              // its row of used_
    };
    // A way to go on from one of partials_: with a link or with `nothing`.
    struct Proposal {
        std::int64_t cost, distance;
        std::uint32_t parent, link;  // link: in links_

        bool operator<(const Proposal& other) const {
            return cost < other.cost || (cost == other.cost && distance < other.distance);
        }
    };
    struct Step {
        Link link;
        std::uint32_t before;
    };

    const std::size_t beam_;
    const MeteorMatcher* matcher_ = nullptr;
    std::size_t width_ = 0;  // of the rows of used_
    std::vector<Link> certain_, best_;  // certain_: a link for each position of the reference, without length if none
    std::vector<Partial> partials_, next_partials_;  // best first
    std::vector<Bits> used_, next_used_;             // words of the hypothesis that are linked
    std::vector<Step> trails_;
    std::vector<Link> links_;          // that were proposed at this position
    std::vector<Proposal> proposals_;  // the best, sorted; between equal ones, those made earlier come first
    std::vector<std::uint8_t> coverage_;  // of a word of the reference: by no match, by one, by more
    std::vector<Bits> once_, twice_, certain_used_;

    void find_certain(std::size_t reference_length);
    void go_straight_on(std::uint32_t position);
    void propose_all(std::uint32_t parent, std::uint32_t position);
    bool may_stay(const Proposal& proposal) const;
    void propose(const Proposal& proposal);
    void accept_proposals(std::uint32_t position);
    std::int64_t cost_after(const Partial& partial, const Link& link) const;
    void advance(Partial& partial, std::uint32_t position, const Link& link) const;
    bool is_free(const Partial& partial, std::uint32_t position, const PhraseMatch& match) const;
};

}  // namespace tercet
