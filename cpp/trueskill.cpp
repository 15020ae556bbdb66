// TrueSkill for two players (Herbrich, Minka & Graepel 2006, table 1): the difference of two performances is normal; a
// win says that it is above the draw margin, a tie that it is within; the moments of the truncated normal move the skills.
#include "trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "parallel.hpp"

namespace tercet {
namespace {

constexpr double tail = -30;  // below it, the normal's own values are too small to divide

double density(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi); }
double below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

// density(x) / below(x) far in the tail, from the asymptotic series of Mills' ratio.
double mills(double x) {
    const double r = 1 / (x * x);
    return -x - (1 - r * (2 - r * (10 - 74 * r))) / x;
}

struct Moves {
    double mean;      // v: by how much the difference moves up, in units of its deviation
    double variance;  // w: the share of its variance that is gone
};

Moves after_win(double difference, double margin) {
    const double x = difference - margin;
    const double v = x < tail ? mills(x) : density(x) / below(x);
    return {v, v * (v + x)};
}

Moves after_draw(double difference, double margin) {
    const double apart = std::abs(difference);
    const double upper = margin - apart, lower = -margin - apart;
    if (upper < tail) {
        const double v = -mills(upper);  // as if only the nearer margin were there
        return {difference < 0 ? -v : v, v * (v - upper)};
    }
    const double within = below(upper) - below(lower);
    const double at_upper = density(upper), at_lower = density(lower);
    const double v = (at_lower - at_upper) / within;
    const double w = v * v + (upper * at_upper - lower * at_lower) / within;
    return {difference < 0 ? -v : v, w};
}

class Skills {
public:
    Skills(const Games& games, std::size_t systems, const TrueSkillOptions& options)
        : games_(games), options_(options), mean_(systems), variance_(systems),
          noise_(2 * options.beta * options.beta), drift_(options.tau * options.tau) {}

    void start() {
        std::ranges::fill(mean_, options_.mu);
        std::ranges::fill(variance_, options_.sigma * options_.sigma);
    }

    void take(std::size_t match) {
        const bool turned = games_.value[match] < 0;
        const std::size_t better = turned ? games_.second[match] : games_.first[match];
        const std::size_t worse = turned ? games_.first[match] : games_.second[match];
        const double v1 = variance_[better] + drift_, v2 = variance_[worse] + drift_;
        const double squared = noise_ + (v1 + v2), deviation = std::sqrt(squared);
        const double difference = (mean_[better] - mean_[worse]) / deviation, margin = options_.draw_margin / deviation;
        const Moves moves = games_.value[match] == 0 ? after_draw(difference, margin) : after_win(difference, margin);
        mean_[better] += v1 / deviation * moves.mean;
        mean_[worse] -= v2 / deviation * moves.mean;
        variance_[better] = v1 * (1 - v1 / squared * moves.variance);
        variance_[worse] = v2 * (1 - v2 / squared * moves.variance);
    }

    const std::vector<double>& mean() const { return mean_; }
    const std::vector<double>& variance() const { return variance_; }

    void write(double* row) const {
        for (std::size_t s = 0; s < mean_.size(); ++s) {
            row[s] = mean_[s];
            row[mean_.size() + s] = std::sqrt(variance_[s]);
        }
    }

private:
    Games games_;
    TrueSkillOptions options_;
    std::vector<double> mean_, variance_;
    double noise_, drift_;
};

// splitmix64 (Steele, Lea & Flood 2014): the standard library's distributions differ from one platform to another.
class Chance {
public:
    explicit Chance(std::int64_t seed) : state_(static_cast<std::uint64_t>(seed)) {}
    double below_one() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(below_one() * static_cast<double>(end)); }

private:
    std::uint64_t state_;
};

// The comparisons of each pair of systems, whichever is the first.
class Meetings {
public:
    Meetings(const Games& games, std::size_t systems) : systems_(systems), start_(systems * systems + 1), opponents_(systems) {
        const std::size_t n = games.first.size();
        for (std::size_t k = 0; k < n; ++k) ++start_[cell(games.first[k], games.second[k]) + 1];
        for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
        games_.resize(n);
        std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
        for (std::size_t k = 0; k < n; ++k) games_[next[cell(games.first[k], games.second[k])]++] = k;
        for (std::size_t a = 0; a < systems; ++a)
            for (std::size_t b = 0; b < systems; ++b)
                if (a != b && !of(a, b).empty()) opponents_[a].push_back(b);
    }
    std::span<const std::size_t> of(std::size_t a, std::size_t b) const {
        const std::size_t c = cell(a, b);
        return {games_.data() + start_[c], start_[c + 1] - start_[c]};
    }
    const std::vector<std::size_t>& opponents(std::size_t system) const { return opponents_[system]; }

private:
    std::size_t cell(std::size_t a, std::size_t b) const { return std::min(a, b) * systems_ + std::max(a, b); }

    std::size_t systems_;
    std::vector<std::size_t> start_, games_;
    std::vector<std::vector<std::size_t>> opponents_;
};

// The system with the greatest variance among those that met another; any of them, where several have it.
std::size_t least_certain(const Skills& skills, const Meetings& meetings, Chance& chance) {
    std::size_t chosen = 0, equals = 0;
    double greatest = -1;
    for (std::size_t s = 0; s < skills.variance().size(); ++s) {
        const double variance = skills.variance()[s];
        if (variance < greatest || meetings.opponents(s).empty()) continue;
        equals = variance > greatest ? 1 : equals + 1;
        greatest = variance;
        if (equals == 1 || chance.below(equals) == 0) chosen = s;
    }
    return chosen;
}

}  // namespace

void trueskill(const Games& games, std::span<const std::int64_t> order, std::span<const std::int64_t> start,
               std::size_t systems, const TrueSkillOptions& options, double* rows) {
    for_each_row(start.size() - 1, [&] {
        return [&, skills = Skills(games, systems, options)](std::size_t run) mutable {
            skills.start();
            for (std::int64_t k = start[run]; k < start[run + 1]; ++k) skills.take(static_cast<std::size_t>(order[k]));
            skills.write(rows + run * 2 * systems);
        };
    }, 1);
}

void trueskill_matched(const Games& games, std::span<const std::int64_t> seeds, std::size_t steps, std::size_t systems,
                       const TrueSkillOptions& options, double* rows) {
    const Meetings meetings(games, systems);
    // exp(-|a - b|) is the smaller ratio of exp(a) and exp(b): two exponentials a step instead of one an opponent.
    const auto raise = [&](double mean) { return std::exp(std::clamp(mean - options.mu, -300.0, 300.0)); };
    for_each_row(seeds.size(), [&] {
        return [&, skills = Skills(games, systems, options), near = std::vector<double>(),
                raised = std::vector<double>(systems)](std::size_t run) mutable {
            skills.start();
            std::ranges::fill(raised, 1.0);
            Chance chance(seeds[run]);
            for (std::size_t step = 0; step < steps; ++step) {
                const std::size_t one = least_certain(skills, meetings, chance);
                const auto& opponents = meetings.opponents(one);
                near.clear();
                double sum = 0;
                for (std::size_t other : opponents)
                    near.push_back(sum += std::min(raised[one], raised[other]) / std::max(raised[one], raised[other]));
                const double mark = chance.below_one() * sum;
                const auto place = std::min<std::size_t>(std::ranges::upper_bound(near, mark) - near.begin(), near.size() - 1);
                const auto met = meetings.of(one, opponents[place]);
                skills.take(met[chance.below(met.size())]);
                raised[one] = raise(skills.mean()[one]);
                raised[opponents[place]] = raise(skills.mean()[opponents[place]]);
            }
            skills.write(rows + run * 2 * systems);
        };
    }, 1);
}

}  // namespace tercet
