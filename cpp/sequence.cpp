#include "sequence.hpp"

#include <stdexcept>

#include "parallel.hpp"

namespace tercet {

SequenceModel::SequenceModel(Templates templates, Lexicon lexicon, WeightTable table,
                             std::vector<std::int32_t> transitions, std::size_t labels)
    : templates_(std::move(templates)),
      lexicon_(std::move(lexicon)),
      table_(std::move(table)),
      transitions_(std::move(transitions)),
      labels_(labels) {
    if (labels == 0 || labels > 255 || transitions_.size() != (labels + 1) * labels || table_.labels() > labels)
        throw std::invalid_argument("transitions or weights that do not fit the labels");
}

void SequenceModel::label(const Sentences& sentences, const Columns& columns, std::int32_t* labels) const {
    if (columns.rows < templates_.columns() || (columns.rows > 0 && columns.tokens != sentences.texts.size()))
        throw std::invalid_argument("columns that do not fit the tokens");
    for_each_row(sentences.start.size() - 1, [&] {
        return [&, values = std::vector<std::uint32_t>(), keys = std::vector<std::uint32_t>(),
                runs = std::vector<WeightTable::Run>(templates_.size()),
                scores = std::vector<std::int32_t>(), best = std::vector<std::int32_t>(),
                rows = std::vector<const std::int32_t*>()](std::size_t i) mutable {
            const auto tokens = sentences.of(i);
            rows.clear();
            for (std::size_t c = 0; c < columns.rows; ++c)
                rows.push_back(columns.data + c * columns.tokens + sentences.start[i]);
            templates_.read(tokens, rows, lexicon_, values);
            scores.assign(tokens.size() * labels_, 0);
            const std::size_t n = templates_.size();
            keys.resize(tokens.size() * n);
            const auto ask = [&](std::size_t t) {
                templates_.keys_at(t, tokens.size(), values, keys.data() + t * n);
                for (std::size_t k = 0; k < n; ++k) table_.fetch(keys[t * n + k]);
            };
            if (!tokens.empty()) ask(0);
            for (std::size_t t = 0; t < tokens.size(); ++t) {
                if (t + 1 < tokens.size()) ask(t + 1);
                for (std::size_t k = 0; k < n; ++k) runs[k] = table_.find(keys[t * n + k]);
                for (const WeightTable::Run& run : runs) table_.add(run, scores.data() + t * labels_);
            }
            viterbi(scores, transitions_.data(), labels_, tokens.size(), best, labels + sentences.start[i]);
        };
    }, 16);
}

}  // namespace tercet
