#include "meteor_align.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <tuple>

namespace tercet {

namespace {

constexpr Link no_link{0, 0, 0, 0, 0};

std::int64_t gap(std::int64_t a, std::int64_t b) { return std::abs(a - b); }

// The gaps between a position and all of 64 positions from `first` on that are set.
std::int64_t gaps(std::int64_t position, std::int64_t first, Bits set) {
    if (first <= position && position < first + 64) {
        std::int64_t total = 0;
        for (; set; set &= set - 1) total += gap(position, first + std::countr_zero(set));
        return total;
    }
    std::int64_t sum = first * std::popcount(set);  // of the positions: the numbers of the bits, binary digit by digit
    sum += std::popcount(set & 0xAAAAAAAAAAAAAAAA) + 2 * std::popcount(set & 0xCCCCCCCCCCCCCCCC);
    sum += 4 * std::popcount(set & 0xF0F0F0F0F0F0F0F0) + 8 * std::popcount(set & 0xFF00FF00FF00FF00);
    sum += 16 * std::popcount(set & 0xFFFF0000FFFF0000) + 32 * std::popcount(set & 0xFFFFFFFF00000000);
    return std::abs(position * std::popcount(set) - sum);
}

}  // namespace

const std::vector<Link>& MeteorAligner::align(const MeteorMatcher& matcher, std::size_t reference_length) {
    matcher_ = &matcher;
    width_ = matcher.width();
    find_certain(reference_length);

    trails_.clear();
    partials_.assign(1, Partial{});
    used_ = certain_used_;
    for (std::uint32_t i = 0; i < reference_length; ++i) {
        if (certain_[i].length || !matcher.at(i).any) {
            go_straight_on(i);
        } else {
            proposals_.clear();
            links_.clear();
            for (std::uint32_t parent = 0; parent < partials_.size(); ++parent) propose_all(parent, i);
            accept_proposals(i);
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
void MeteorAligner::find_certain(std::size_t reference_length) {
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
    if (position < partial.next) return propose({partial.cost, partial.distance, parent, nothing});

    const Matches& matches = matcher_->at(position);
    const auto modules = static_cast<std::uint32_t>(matcher_->modules().size());
    const Bits* used = &used_[partial.row * width_];
    const std::uint32_t end = partial.chunk_end;
    std::size_t continuing = std::ranges::equal_range(matches.starts, end).size();  // to come, and go on with the chunk
    if (end / 64 < width_ && !has_bit(used, end))
        for (std::uint32_t m = 0; m < modules; ++m) continuing += has_bit(matcher_->row(position, m), end);

    // METEOR adds the distance of a match not to the alignment that makes it but to those that are proposed after it.
    std::int64_t distance = partial.distance;
    const auto offer = [&](const Link& link) {
        const Proposal proposal{cost_after(partial, link), distance, parent, static_cast<std::uint32_t>(links_.size())};
        if (may_stay(proposal)) {
            links_.push_back(link);
            propose(proposal);
        }
        distance += gap(position, link.start);
    };
    // So what is to come has at least the distance of now, and closes the chunk unless it goes on with it. Long sentences of
    // few different words depend on passing by what is not good enough.
    const auto may_come = [&](std::uint32_t gained, bool continues) {
        const bool closes = end != nothing && !continues;
        return may_stay({partial.cost + closes - (std::int64_t{gained} << 32), distance, parent, nothing});
    };

    for (std::uint32_t m = 0; m < modules; ++m) {
        const std::uint32_t gained = gain(matcher_->modules()[m], 1, 1), most = std::max(gained, matches.phrase_gain);
        for (std::uint32_t k = 0; k < width_; ++k) {
            Bits left = matcher_->row(position, m)[k] & ~used[k];
            if (left && k != end / 64 && !may_come(gained, false)) {
                distance += gaps(position, 64 * k, left);
                left = 0;
            }
            for (; left; left &= left - 1) {
                if (!may_come(most, continuing)) return;
                const std::uint32_t j = 64 * k + std::countr_zero(left);
                continuing -= j == end;
                offer({position, 1, j, 1, m});
            }
        }
    }
    for (const PhraseMatch& match : matches.phrases) {
        if (!may_come(matches.phrase_gain, continuing)) return;
        continuing -= match.start == end;
        if (is_free(partial, position, match))
            offer({position, match.reference_length, match.start, match.length, modules - 1});
    }
    propose({cost_after(partial, no_link), distance, parent, nothing});
}

bool MeteorAligner::is_free(const Partial& partial, std::uint32_t position, const PhraseMatch& match) const {
    for (std::uint32_t r = position; r < position + match.reference_length; ++r)
        if (certain_[r].length) return false;
    for (std::uint32_t j = match.start; j < match.start + match.length; ++j)
        if (has_bit(&used_[partial.row * width_], j)) return false;
    return true;
}

bool MeteorAligner::may_stay(const Proposal& proposal) const {
    return proposals_.size() < beam_ || proposal < proposals_.back();
}

void MeteorAligner::propose(const Proposal& proposal) {
    if (!may_stay(proposal)) return;
    if (proposals_.size() < beam_) proposals_.push_back(proposal);
    std::size_t at = proposals_.size() - 1;  // most proposals belong near the end
    for (; at > 0 && proposal < proposals_[at - 1]; --at) proposals_[at] = proposals_[at - 1];
    proposals_[at] = proposal;
}

void MeteorAligner::accept_proposals(std::uint32_t position) {
    next_partials_.resize(proposals_.size());
    next_used_.resize(proposals_.size() * width_);
    for (std::uint32_t i = 0; i < proposals_.size(); ++i) {
        const Proposal& proposal = proposals_[i];
        const Link& link = proposal.link == nothing ? no_link : links_[proposal.link];
        Partial& partial = next_partials_[i] = partials_[proposal.parent];
        Bits* used = &next_used_[i * width_];
        std::copy_n(&used_[partial.row * width_], width_, used);
        advance(partial, position, link);
        partial.distance = proposal.distance;
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
