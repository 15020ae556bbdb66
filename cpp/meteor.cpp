#include "meteor.hpp"

#include <algorithm>

#include "meteor_align.hpp"
#include "parallel.hpp"

namespace tercet {

namespace {

class Scorer {
public:
    Scorer(const MeteorText& text, const MeteorLexicon& lexicon, const MeteorTables* tables, const MeteorOptions& options,
           double* rows)
        : text_(text), lexicon_(lexicon), options_(options), rows_(rows), matcher_(lexicon, tables, options.modules),
          aligner_(options.beam) {}

    void operator()(std::size_t pair) {
        const WordIds hypothesis = text_.hypothesis(pair), reference = text_.reference(pair);
        double* row = rows_ + pair * meteor_columns;
        std::fill_n(row, meteor_columns, 0.0);
        measure(hypothesis, row[0], row[2]);
        measure(reference, row[1], row[3]);

        matcher_.match(hypothesis, reference);
        const std::vector<Link>& links = aligner_.align(matcher_, reference.size());
        double matched_hypothesis = 0, matched_reference = 0;
        for (const Link& link : links) {
            double* module = row + 4 + 4 * link.module;
            matched_hypothesis += count(hypothesis.subspan(link.start, link.length), module[0], module[2]);
            matched_reference += count(reference.subspan(link.reference, link.reference_length), module[1], module[3]);
            row[21] += link.length;
            row[22] += link.reference_length;
        }
        const double chunks = chunks_of(links);
        const bool perfect = chunks == 1 && matched_hypothesis == row[0] && matched_reference == row[1];
        row[20] = perfect ? 0 : chunks;
    }

private:
    const MeteorText& text_;
    const MeteorLexicon& lexicon_;
    const MeteorOptions& options_;
    double* rows_;
    MeteorMatcher matcher_;
    MeteorAligner aligner_;

    double size(std::uint32_t word) const { return options_.characters ? lexicon_.characters[word] : 1; }

    void measure(WordIds words, double& all, double& function) const {
        for (std::uint32_t word : words) {
            all += size(word);
            if (lexicon_.function[word]) function += size(word);
        }
    }
    double count(WordIds words, double& content, double& function) const {
        double all = 0;
        for (std::uint32_t word : words) {
            (lexicon_.function[word] ? function : content) += size(word);
            all += size(word);
        }
        return all;
    }
    // Runs of links that are neighbours on both sides.
    static double chunks_of(const std::vector<Link>& links) {
        double chunks = links.empty() ? 0 : 1;
        for (std::size_t k = 1; k < links.size(); ++k) {
            const Link &before = links[k - 1], &link = links[k];
            chunks += before.reference + before.reference_length != link.reference || before.start + before.length != link.start;
        }
        return chunks;
    }
};

}  // namespace

MeteorText::MeteorText(const Texts& hypotheses, const References& references, const MeteorStyle* style, bool punctuation,
                       const Abbreviations& abbreviations) {
    Texts lines = hypotheses;
    lines.insert(lines.end(), references.texts.begin(), references.texts.end());
    std::vector<std::string> normalized;
    if (style) {
        normalized.resize(lines.size());
        for_each_row(lines.size(), [&] {
            return [&, normalize = MeteorNormalizer(*style, punctuation, abbreviations)](std::size_t i) mutable {
                normalized[i] = normalize(lines[i]);
                lines[i] = normalized[i];
            };
        });
    }

    Vocabulary vocabulary;
    Texts tokens;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        tokens.clear();
        split_meteor_words(lines[i], tokens);
        for (Text token : tokens) {
            const std::uint32_t id = vocabulary.add(token) - 1;  // the vocabulary counts from one
            if (id == words_.size()) words_.emplace_back(token);
            ids_.push_back(id);
        }
        start_.push_back(ids_.size());
    }
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        for (std::size_t r = references.start[i]; r < references.start[i + 1]; ++r) {
            hypothesis_of_.push_back(i);
            reference_of_.push_back(hypotheses.size() + r);
        }
    }
}

void meteor(const MeteorText& text, const MeteorLexicon& lexicon, const MeteorTables* tables, const MeteorOptions& options,
            double* rows) {
    for_each_row(text.pairs(), [&] { return Scorer(text, lexicon, tables, options, rows); });
}

}  // namespace tercet
