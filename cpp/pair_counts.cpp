#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pairs.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

// Below this, comparing all pairs is quicker than sorting.
constexpr std::size_t few = 40;

struct Counts {
    std::int64_t same = 0, opposite = 0, metric_ties = 0, human_ties = 0, both_ties = 0;
};

class PairCounter {
public:
    PairCounter(const ScoreRows& scores, double epsilon, double* counts) : scores_(scores), epsilon_(epsilon), out_(counts) {}

    void operator()(std::size_t row) {
        human_.clear();
        metric_.clear();
        for (std::size_t i = row * scores_.columns; i < (row + 1) * scores_.columns; ++i)
            if (!std::isnan(scores_.human[i])) {
                human_.push_back(scores_.human[i]);
                metric_.push_back(scores_.metric[i]);
            }
        const Counts found = human_.size() < few ? by_comparison() : by_sorting();
        double* out = out_ + 5 * row;
        out[0] = static_cast<double>(found.same);
        out[1] = static_cast<double>(found.opposite);
        out[2] = static_cast<double>(found.metric_ties);
        out[3] = static_cast<double>(found.human_ties);
        out[4] = static_cast<double>(found.both_ties);
    }

private:
    ScoreRows scores_;
    double epsilon_;
    double* out_;
    std::vector<double> human_, metric_, levels_;
    std::vector<std::size_t> order_, rank_;
    std::vector<std::int64_t> tree_;  // Fenwick: how many scores so far have a human rank up to here

    Counts by_comparison() const {
        Counts found;
        for (std::size_t i = 1; i < human_.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) {
                const double apart = metric_[i] - metric_[j];
                const bool metric_tie = std::abs(apart) <= epsilon_, human_tie = human_[i] == human_[j];
                const bool same = (apart > 0) == (human_[i] > human_[j]);
                found.both_ties += metric_tie & human_tie;
                found.metric_ties += metric_tie & !human_tie;
                found.human_ties += !metric_tie & human_tie;
                found.same += !metric_tie & !human_tie & same;
                found.opposite += !metric_tie & !human_tie & !same;
            }
        return found;
    }

    // Knight (1966), with a tie wherever two metric scores are within epsilon: walking up the metric's order, `behind`
    // marks the scores that are more than epsilon below. Rounding is monotone, so they are a prefix of the order.
    Counts by_sorting() {
        const std::size_t n = human_.size();
        levels_ = human_;
        std::sort(levels_.begin(), levels_.end());
        std::int64_t tied_by_people = 0;
        for (std::size_t i = 0, run = 0; i < n; ++i) {
            run = i > 0 && levels_[i] == levels_[i - 1] ? run + 1 : 0;
            tied_by_people += static_cast<std::int64_t>(run);
        }
        levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
        rank_.resize(n);
        for (std::size_t i = 0; i < n; ++i)
            rank_[i] = 1 + (std::lower_bound(levels_.begin(), levels_.end(), human_[i]) - levels_.begin());
        order_.resize(n);
        std::iota(order_.begin(), order_.end(), std::size_t{0});
        std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return metric_[a] < metric_[b]; });
        tree_.assign(levels_.size() + 1, 0);

        Counts found;
        std::size_t behind = 0;
        for (std::size_t at : order_) {
            for (; metric_[at] - metric_[order_[behind]] > epsilon_; ++behind) add(rank_[order_[behind]]);
            const std::int64_t below = up_to(rank_[at] - 1), not_above = up_to(rank_[at]);
            found.same += below;
            found.human_ties += not_above - below;
            found.opposite += static_cast<std::int64_t>(behind) - not_above;
        }
        found.both_ties = tied_by_people - found.human_ties;
        const auto pairs = static_cast<std::int64_t>(n * (n - 1) / 2);
        found.metric_ties = pairs - found.same - found.opposite - tied_by_people;
        return found;
    }

    void add(std::size_t rank) {
        for (; rank < tree_.size(); rank += rank & -rank) ++tree_[rank];
    }
    std::int64_t up_to(std::size_t rank) const {
        std::int64_t sum = 0;
        for (; rank > 0; rank &= rank - 1) sum += tree_[rank];
        return sum;
    }
};

}  // namespace

void pair_counts(const ScoreRows& scores, double epsilon, double* counts) {
    for_each_row(scores.rows, [&] { return PairCounter(scores, epsilon, counts); });
}

}  // namespace tercet
