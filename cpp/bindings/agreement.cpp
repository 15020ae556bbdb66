#include <algorithm>
#include <functional>

#include "../pairs.hpp"
#include "../trueskill.hpp"
#include "door.hpp"

namespace tercet {

namespace {

using Integers = Flat<std::int64_t>;

std::span<const std::int64_t> span(const Integers& numbers) { return {numbers.data(), numbers.size()}; }

bool within(const Integers& numbers, std::size_t end) {
    return std::ranges::all_of(span(numbers), [&](std::int64_t n) { return n >= 0 && static_cast<std::size_t>(n) < end; });
}

Games checked_games(const Integers& first, const Integers& second, const Integers& value, std::size_t systems) {
    if (first.size() != second.size() || first.size() != value.size()) throw std::invalid_argument("games of unequal length");
    if (!within(first, systems) || !within(second, systems)) throw std::invalid_argument("a system beyond the last");
    if (!std::ranges::equal(span(first), span(second), std::not_equal_to{})) throw std::invalid_argument("a system that meets itself");
    return {span(first), span(second), span(value)};
}

ScoreRows score_rows(const Given<2>& human, const Given<2>& metric) {
    if (human.shape(0) != metric.shape(0) || human.shape(1) != metric.shape(1))
        throw std::invalid_argument("as many human scores as metric scores");
    return {human.data(), metric.data(), human.shape(0), human.shape(1)};
}

}  // namespace

void bind_agreement(nb::module_& module) {
    // One row a run: the means of the systems' skills, then their deviations.
    module.def("trueskill", [](const Integers& first, const Integers& second, const Integers& value, const Integers& order,
                               const Integers& start, std::size_t systems, double mu, double sigma, double beta, double tau,
                               double draw_margin) {
        const Games games = checked_games(first, second, value, systems);
        if (!within(order, first.size())) throw std::invalid_argument("an order that names no game");
        if (start.size() < 2 || !within(start, order.size() + 1) || !std::ranges::is_sorted(span(start)))
            throw std::invalid_argument("runs that do not lie in the order");
        const std::size_t runs = start.size() - 1;
        auto data = std::make_unique<double[]>(runs * 2 * systems);
        {
            nb::gil_scoped_release released;
            trueskill(games, span(order), span(start), systems, {mu, sigma, beta, tau, draw_margin}, data.get());
        }
        return matrix(std::move(data), runs, 2 * systems);
    }, "first"_a, "second"_a, "value"_a, "order"_a, "start"_a, nb::kw_only(), "systems"_a, "mu"_a, "sigma"_a, "beta"_a, "tau"_a,
       "draw_margin"_a);

    module.def("trueskill_matched", [](const Integers& first, const Integers& second, const Integers& value, const Integers& seeds,
                                       std::size_t steps, std::size_t systems, double mu, double sigma, double beta, double tau,
                                       double draw_margin) {
        const Games games = checked_games(first, second, value, systems);
        if (!first.size()) throw std::invalid_argument("no games");
        auto data = std::make_unique<double[]>(seeds.size() * 2 * systems);
        {
            nb::gil_scoped_release released;
            trueskill_matched(games, span(seeds), steps, systems, {mu, sigma, beta, tau, draw_margin}, data.get());
        }
        return matrix(std::move(data), seeds.size(), 2 * systems);
    }, "first"_a, "second"_a, "value"_a, "seeds"_a, nb::kw_only(), "steps"_a, "systems"_a, "mu"_a, "sigma"_a, "beta"_a, "tau"_a,
       "draw_margin"_a);

    module.def("pair_counts", [](const Given<2>& human, const Given<2>& metric, double epsilon) {
        const ScoreRows scores = score_rows(human, metric);
        return filled(scores.rows, 5, [&](double* counts) { pair_counts(scores, epsilon, counts); });
    }, "human"_a, "metric"_a, nb::kw_only(), "epsilon"_a);
    module.def("best_epsilon", [](const Given<2>& human, const Given<2>& metric) {
        const ScoreRows scores = score_rows(human, metric);
        nb::gil_scoped_release released;
        return best_epsilon(scores);
    }, "human"_a, "metric"_a);
}

}  // namespace tercet
