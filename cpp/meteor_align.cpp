#include "meteor_align.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace tercet {

namespace {

constexpr Link no_link{0, 0, 0, 0, 0};

// How many matches of each gain one partial alignment has been offered.
class Crowd {
public:
    explicit Crowd(std::size_t beam) : beam_(beam) {}

    void add(std::uint32_t gained) {
        ++size_;
        ++count_[std::min(gained, most)];
    }
    // Is the beam full with matches of at least this gain?
    bool hides(std::uint32_t gained) const {
        return size_ >= beam_ && gained < most && std::accumulate(count_ + gained, count_ + most + 1, std::size_t{0}) >= beam_;
    }

private:
    static constexpr std::uint32_t most = 8;  // gains from here on are not told apart, and not hidden
    const std::size_t beam_;
    std::size_t size_ = 0, count_[most + 1] = {};
};

}  // namespace

const std::vector<Link>& MeteorAligner::align(const MeteorMatcher& matcher, std::size_t hypothesis_length,
                                              std::size_t reference_length) {
    matcher_ = &matcher;
    width_ = matcher.width();
    find_certain(hypothesis_length, reference_length);

    trails_.clear();
    partials_.assign(1, Partial{});
    used_ = certain_used_;
    for (std::uint32_t i = 0; i < reference_length; ++i) {
        proposals_.clear();
        ranks_.clear();
        for (std::uint32_t parent = 0; parent < partials_.size(); ++parent) extend(parent, i);
        keep_best();
    }

    for (Partial& partial : partials_) partial.chunks += partial.chunk_end != nothing;
    const auto better = [](const Partial& a, const Partial& b) {
        if (a.matched != b.matched) return a.matched > b.matched;
        return a.chunks != b.chunks ? a.chunks < b.chunks : a.distance < b.distance;
    };
    best_.clear();
    for (auto at = std::min_element(partials_.begin(), partials_.end(), better)->trail; at != nothing; at = trails_[at].before)
        best_.push_back(trails_[at].link);
    std::reverse(best_.begin(), best_.end());
    return best_;
}

// A match is certain when its words, on both sides, have no other match.
void MeteorAligner::find_certain(std::size_t hypothesis_length, std::size_t reference_length) {
    once_.assign(width_, 0);
    twice_.assign(width_, 0);
    coverage_.assign(reference_length, 0);
    const auto cover = [this](std::size_t position) { coverage_[position] = std::min(coverage_[position] + 1, 2); };
    const std::size_t modules = matcher_->modules().size();
    for (std::size_t i = 0; i < reference_length; ++i) {
        for (std::size_t m = 0; m < modules; ++m) {
            const Bits* row = matcher_->row(i, m);
            for (std::size_t k = 0; k < width_; ++k) {
                twice_[k] |= once_[k] & row[k];
                once_[k] |= row[k];
                if (row[k]) cover(i);
                if (row[k] & (row[k] - 1)) cover(i);
            }
        }
        for (const PhraseMatch& match : matcher_->at(i).phrases) {
            for (std::uint32_t j = match.start; j < match.start + match.length; ++j)
                set_bit(has_bit(once_.data(), j) ? twice_.data() : once_.data(), j);
            for (std::size_t r = i; r < i + match.reference_length; ++r) cover(r);
        }
    }

    certain_.assign(reference_length, no_link);
    certain_used_.assign(width_, 0);
    const auto settle = [this](const Link& link, std::uint32_t position) {
        for (std::uint32_t r = position; r < position + link.reference_length; ++r)
            if (coverage_[r] != 1) return;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j)
            if (has_bit(twice_.data(), j)) return;
        certain_[position] = link;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j) set_bit(certain_used_.data(), j);
    };
    for (std::uint32_t i = 0; i < reference_length; ++i) {
        if (coverage_[i] != 1) continue;
        for (std::uint32_t m = 0; m < modules; ++m) {
            if (matcher_->modules()[m] == MeteorModule::paraphrase) {
                for (const PhraseMatch& match : matcher_->at(i).phrases)
                    settle({i, match.reference_length, match.start, match.length, m}, i);
            } else {
                const Bits* row = matcher_->row(i, m);
                for (std::uint32_t j = 0; j < hypothesis_length; ++j)
                    if (has_bit(row, j)) settle({i, 1, j, 1, m}, i);
            }
        }
    }
}

void MeteorAligner::propose(const Partial& partial, std::uint32_t parent, const Link& link) {
    const std::uint64_t cost = static_cast<std::uint64_t>(~partial.matched) << 32 | partial.chunks;
    ranks_.push_back({cost, partial.distance, static_cast<std::uint32_t>(proposals_.size())});
    proposals_.push_back({partial, parent, link});
}

bool MeteorAligner::is_free(std::uint32_t parent, std::uint32_t position, const PhraseMatch& match) const {
    for (std::uint32_t r = position; r < position + match.reference_length; ++r)
        if (certain_[r].length) return false;
    for (std::uint32_t j = match.start; j < match.start + match.length; ++j)
        if (has_bit(&used_[parent * width_], j)) return false;
    return true;
}

// Proposes every way in which a partial alignment may deal with one position of the reference.
void MeteorAligner::extend(std::uint32_t parent, std::uint32_t position) {
    const Partial& partial = partials_[parent];
    const std::vector<MeteorModule>& modules = matcher_->modules();
    if (position < partial.next) return propose(partial, parent, no_link);  // within a phrase that is linked

    std::int64_t distance = partial.distance;
    const auto linked = [&](std::uint32_t reference_length, std::uint32_t start, std::uint32_t length, std::uint32_t module) {
        Partial longer = partial;
        longer.matched += gain(modules[module], reference_length, length);
        longer.chunks += partial.chunk_end != nothing && partial.chunk_end != start;
        longer.distance = distance;
        longer.next = position + reference_length;
        longer.chunk_end = start + length;
        propose(longer, parent, {position, reference_length, start, length, module});
    };
    const auto far = [position](std::uint32_t start) { return std::abs(std::int64_t{position} - std::int64_t{start}); };

    if (const Link& link = certain_[position]; link.length) {
        distance += far(link.start);
        return linked(link.reference_length, link.start, link.length, link.module);
    }

    // METEOR adds the distance of a match not to the alignment that makes it but to those that are proposed after it.
    // So a match is never better than an earlier one of at least its gain, unless it goes on with the open chunk; and
    // behind `beam_` of those it cannot stay in the beam. Long sentences of few different words depend on that.
    const Matches& matches = matcher_->at(position);
    const Bits* used = &used_[parent * width_];
    const std::uint32_t end = partial.chunk_end;
    std::size_t continuing = std::ranges::equal_range(matches.starts, end).size();  // matches to come that go on with it
    if (end / 64 < width_ && !has_bit(used, end))
        for (std::uint32_t m = 0; m < modules.size(); ++m) continuing += has_bit(matcher_->row(position, m), end);
    Crowd crowd(beam_);

    for (std::uint32_t m = 0; m < modules.size(); ++m) {
        if (modules[m] == MeteorModule::paraphrase) {
            for (const PhraseMatch& match : matches.phrases) {
                continuing -= match.start == end;
                if (!is_free(parent, position, match)) continue;
                const std::uint32_t gained = gain(modules[m], match.reference_length, match.length);
                if (!crowd.hides(gained) || match.start == end) linked(match.reference_length, match.start, match.length, m);
                distance += far(match.start);
                crowd.add(gained);
                if (!continuing && crowd.hides(matches.phrase_gain)) return;
            }
        } else {
            const std::uint32_t gained = gain(modules[m], 1, 1), to_come = std::max(gained, matches.phrase_gain);
            const Bits* row = matcher_->row(position, m);
            for (std::size_t k = 0; k < width_; ++k) {
                for (Bits left = row[k] & ~used[k]; left; left &= left - 1) {
                    const auto j = static_cast<std::uint32_t>(64 * k + std::countr_zero(left));
                    if (!crowd.hides(gained) || j == end) linked(1, j, 1, m);
                    distance += far(j);
                    crowd.add(gained);
                    continuing -= j == end;
                    if (!continuing && crowd.hides(to_come)) return;
                }
            }
        }
    }

    Partial skipping = partial;
    skipping.chunks += end != nothing;
    skipping.distance = distance;
    skipping.next = position + 1;
    skipping.chunk_end = nothing;
    propose(skipping, parent, no_link);
}

void MeteorAligner::keep_best() {
    const std::size_t kept = std::min(beam_, ranks_.size());
    if (kept < ranks_.size()) std::nth_element(ranks_.begin(), ranks_.begin() + kept, ranks_.end());
    std::sort(ranks_.begin(), ranks_.begin() + kept);

    partials_.resize(kept);
    next_used_.resize(kept * width_);
    for (std::size_t slot = 0; slot < kept; ++slot) {
        const Proposal& proposal = proposals_[ranks_[slot].order];
        const Link& link = proposal.link;
        Bits* used = next_used_.data() + slot * width_;
        std::copy_n(used_.data() + proposal.parent * width_, width_, used);
        partials_[slot] = proposal.partial;
        if (!link.length) continue;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j) set_bit(used, j);
        partials_[slot].trail = static_cast<std::uint32_t>(trails_.size());
        trails_.push_back({link, proposal.partial.trail});
    }
    used_.swap(next_used_);
}

}  // namespace tercet
