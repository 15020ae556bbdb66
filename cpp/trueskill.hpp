#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tercet {

struct TrueSkillOptions {
    double mu = 0;
    double sigma = 0.5;
    double beta = 0;         // deviation of a system's performance in one comparison
    double tau = 0;          // deviation added before each comparison
    double draw_margin = 0;  // performances nearer than this are a tie
};

// Comparisons of two systems, value 1 where the first is better, 0 for a tie, -1 where the second is.
struct Games {
    std::span<const std::int64_t> first, second, value;
};

// Mean and deviation of each system's skill after each run: a run takes the comparisons order[start[r]..start[r + 1])
// one after the other. A row a run: `systems` means, then `systems` deviations.
void trueskill(const Games& games, std::span<const std::int64_t> order, std::span<const std::int64_t> start,
               std::size_t systems, const TrueSkillOptions& options, double* rows);

// The same for runs that choose as they go (Sakaguchi et al. 2014, section 3.3): the system whose skill is least certain
// meets one near its skill, with chance exp(-|difference of means|), and one of their comparisons, any, is taken.
// `seeds` has one number a run, `steps` is how many comparisons each takes.
void trueskill_matched(const Games& games, std::span<const std::int64_t> seeds, std::size_t steps, std::size_t systems,
                       const TrueSkillOptions& options, double* rows);

}  // namespace tercet
