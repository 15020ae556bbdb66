#include "meteor_align.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <tuple>

namespace tercet {

namespace {

constexpr Link no_link{0, 0, 0, 0, 0};

std::int64_t gap(std::uint32_t a, std::uint32_t b) { return std::abs(std::int64_t{a} - std::int64_t{b}); }

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
        if (certain_[i].length || !matcher.at(i).any) {
            go_straight_on(i);
        } else {
            proposals_.clear();
            ranks_.clear();
            for (std::uint32_t parent = 0; parent < partials_.size(); ++parent) propose_all(parent, i);
            keep_best(i);
        }
    }

    for (Partial& partial : partials_) partial.cost += partial.chunk_end != nothing;
    const auto better = [](const Partial& a, const Partial& b) {
        return std::tie(a.cost, a.distance) < std::tie(b.cost, b.distance);
    };
    best_.clear();
    for (auto at = std::min_element(partials_.begin(), partials_.end(), better)->trail; at != nothing; at = trails_[at].before)
        best_.push_back(trails_[at].link);
    std::copy_if(certain_.begin(), certain_.end(), std::back_inserter(best_), [](const Link& link) { return link.length; });
    std::ranges::sort(best_, {}, &Link::reference);
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
        if (!matcher_->at(i).any) continue;
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
    const auto settle = [this](const Link& link) {
        for (std::uint32_t r = link.reference; r < link.reference + link.reference_length; ++r)
            if (coverage_[r] != 1) return;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j)
            if (has_bit(twice_.data(), j)) return;
        certain_[link.reference] = link;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j) set_bit(certain_used_.data(), j);
    };
    for (std::uint32_t i = 0; i < reference_length; ++i) {
        if (coverage_[i] != 1) continue;
        for (std::uint32_t m = 0; m < modules; ++m) {
            const Bits* row = matcher_->row(i, m);
            for (std::uint32_t k = 0; k < width_; ++k)
                if (row[k]) settle({i, 1, 64 * k + std::countr_zero(row[k]), 1, m});
        }
        for (const PhraseMatch& match : matcher_->at(i).phrases)
            settle({i, match.reference_length, match.start, match.length, static_cast<std::uint32_t>(modules - 1)});
    }
}

std::int64_t MeteorAligner::cost_after(const Partial& partial, const Link& link) const {
    const bool continues = link.length && link.start == partial.chunk_end;
    const bool closes = partial.chunk_end != nothing && !continues;
    const std::uint32_t gained = link.length ? gain(matcher_->modules()[link.module], link.reference_length, link.length) : 0;
    return partial.cost + closes - (std::int64_t{gained} << 32);
}

void MeteorAligner::advance(Partial& partial, std::uint32_t position, const Link& link) const {
    if (position < partial.next) return;  // within a phrase that is linked
    partial.cost = cost_after(partial, link);
    partial.next = position + (link.length ? link.reference_length : 1);
    partial.chunk_end = link.length ? link.start + link.length : nothing;
}

// A position that leaves no choice.
void MeteorAligner::go_straight_on(std::uint32_t position) {
    const Link& link = certain_[position];
    for (Partial& partial : partials_) {
        if (link.length) partial.distance += gap(position, link.start);
        advance(partial, position, link);
    }
    for (std::size_t i = 1; i < partials_.size(); ++i) {  // few change places: sorted by insertion
        const Partial moved = partials_[i];
        std::size_t at = i;
        for (; at > 0 && std::tie(moved.cost, moved.distance) < std::tie(partials_[at - 1].cost, partials_[at - 1].distance); --at)
            partials_[at] = partials_[at - 1];
        partials_[at] = moved;
    }
}

// Proposes every way in which a partial alignment may deal with one position of the reference.
void MeteorAligner::propose_all(std::uint32_t parent, std::uint32_t position) {
    const Partial& partial = partials_[parent];
    const std::vector<MeteorModule>& modules = matcher_->modules();
    std::int64_t distance = partial.distance;
    const auto propose = [&](const Link& link) {
        const std::int64_t cost = position < partial.next ? partial.cost : cost_after(partial, link);
        ranks_.push_back({cost, distance, static_cast<std::uint32_t>(proposals_.size())});
        proposals_.push_back({parent, link});
    };
    if (position < partial.next) return propose(no_link);

    // METEOR adds the distance of a match not to the alignment that makes it but to those that are proposed after it.
    // So a match is never better than an earlier one of at least its gain, unless it goes on with the open chunk; and
    // behind `beam_` of those it cannot stay in the beam. Long sentences of few different words depend on that.
    const Matches& matches = matcher_->at(position);
    const Bits* used = &used_[partial.row * width_];
    const std::uint32_t end = partial.chunk_end;
    std::size_t continuing = std::ranges::equal_range(matches.starts, end).size();  // to come, and go on with the chunk
    if (end / 64 < width_ && !has_bit(used, end))
        for (std::uint32_t m = 0; m < modules.size(); ++m) continuing += has_bit(matcher_->row(position, m), end);
    Crowd crowd(beam_);
    const auto offer = [&](const Link& link) {
        const std::uint32_t gained = gain(modules[link.module], link.reference_length, link.length);
        if (link.start == end || !crowd.hides(gained)) propose(link);
        crowd.add(gained);
        distance += gap(position, link.start);
    };

    for (std::uint32_t m = 0; m < modules.size(); ++m) {
        const std::uint32_t most = std::max(gain(modules[m], 1, 1), matches.phrase_gain);  // of what is to come
        for (std::size_t k = 0; k < width_; ++k) {
            for (Bits left = matcher_->row(position, m)[k] & ~used[k]; left; left &= left - 1) {
                const auto j = static_cast<std::uint32_t>(64 * k + std::countr_zero(left));
                offer({position, 1, j, 1, m});
                continuing -= j == end;
                if (!continuing && crowd.hides(most)) return;
            }
        }
    }
    for (const PhraseMatch& match : matches.phrases) {
        continuing -= match.start == end;
        if (!is_free(partial, position, match)) continue;
        offer({position, match.reference_length, match.start, match.length, static_cast<std::uint32_t>(modules.size() - 1)});
        if (!continuing && crowd.hides(matches.phrase_gain)) return;
    }
    propose(no_link);
}

bool MeteorAligner::is_free(const Partial& partial, std::uint32_t position, const PhraseMatch& match) const {
    for (std::uint32_t r = position; r < position + match.reference_length; ++r)
        if (certain_[r].length) return false;
    for (std::uint32_t j = match.start; j < match.start + match.length; ++j)
        if (has_bit(&used_[partial.row * width_], j)) return false;
    return true;
}

void MeteorAligner::keep_best(std::uint32_t position) {
    const std::size_t kept = std::min(beam_, ranks_.size());
    if (kept < ranks_.size()) std::nth_element(ranks_.begin(), ranks_.begin() + kept, ranks_.end());
    std::sort(ranks_.begin(), ranks_.begin() + kept);

    next_partials_.resize(kept);
    next_used_.resize(kept * width_);
    for (std::uint32_t i = 0; i < kept; ++i) {
        const Proposal& proposal = proposals_[ranks_[i].proposal];
        const Link& link = proposal.link;
        Partial& partial = next_partials_[i] = partials_[proposal.parent];
        Bits* used = &next_used_[i * width_];
        std::copy_n(&used_[partial.row * width_], width_, used);
        advance(partial, position, link);
        partial.distance = ranks_[i].distance;
        partial.row = i;
        if (!link.length) continue;
        for (std::uint32_t j = link.start; j < link.start + link.length; ++j) set_bit(used, j);
        trails_.push_back({link, partial.trail});
        partial.trail = static_cast<std::uint32_t>(trails_.size() - 1);
    }
    partials_.swap(next_partials_);
    used_.swap(next_used_);
}

}  // namespace tercet
