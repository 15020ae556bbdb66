#include "meteor_match.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace tercet {

namespace {

constexpr std::uint32_t most_synsets = 1u << 26;  // sets are numbered from 0; WordNet has some 117,000

// WordNet's rules of detachment: an ending, and what stands in its place in the base form.
constexpr std::pair<Text, Text> detachments[] = {
    {"s", ""},   {"ses", "s"}, {"xes", "x"}, {"zes", "z"}, {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"},
    {"s", ""},   {"ies", "y"}, {"es", "e"},  {"es", ""},   {"ed", "e"},    {"ed", ""},     {"ing", "e"},   {"ing", ""},
    {"er", ""},  {"est", ""},  {"er", "e"},  {"est", "e"}};

template <class Visit>
void for_each_utf16_unit(Text word, Visit visit) {
    for (const char *p = word.data(), *end = p + word.size(); p < end;) {
        const char32_t c = next_code_point(p);
        if (c > 0xFFFF) visit(0xD7C0 + (c >> 10));
        visit(c > 0xFFFF ? 0xDC00 + (c & 0x3FF) : c);
    }
}

std::uint32_t utf16_length(Text word) {
    std::uint32_t length = 0;
    for_each_utf16_unit(word, [&](std::uint32_t) { ++length; });
    return length;
}

// METEOR compares words by Java's hash of strings, in which a few are equal (French je and l'): so it is here.
std::uint32_t java_hash(Text word) {
    std::uint32_t hash = 0;
    for_each_utf16_unit(word, [&](std::uint32_t unit) { hash = 31 * hash + unit; });
    return hash;
}

// The base form of a regular form, if it has synonyms.
std::uint32_t detached(const MeteorTables& tables, Text word) {
    if (word.ends_with("ss") || utf16_length(word) <= 2) return tables.word(word);
    std::string base;
    for (const auto& [ending, instead] : detachments) {
        if (!word.ends_with(ending)) continue;
        base.assign(word.substr(0, word.size() - ending.size())).append(instead);
        const std::uint32_t entry = tables.word(base);
        if (entry != MeteorTables::none && !tables.synsets[entry].empty()) return entry;
    }
    return MeteorTables::none;
}

// The synonym sets of a word and of its base forms.
std::vector<std::uint32_t> synsets_of(const MeteorTables& tables, Text word, std::uint32_t entry) {
    std::vector<std::uint32_t> all;
    const auto add = [&](std::uint32_t other) {
        if (other == MeteorTables::none) return;
        const Numbers sets = tables.synsets[other];
        all.insert(all.end(), sets.begin(), sets.end());
    };
    add(entry);
    const Numbers bases = entry == MeteorTables::none ? Numbers{} : tables.bases[entry];
    for (std::uint32_t base : bases) add(base);
    if (bases.empty()) add(detached(tables, word));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace

MeteorLexicon::MeteorLexicon(const Texts& forms, const Texts& stems, std::vector<bool> function_words,
                             const MeteorTables* tables)
    : entry(forms.size(), MeteorTables::none), synsets(forms.size()), function(std::move(function_words)) {
    for (Text text : forms) {
        form.push_back(java_hash(text));
        characters.push_back(utf16_length(text));  // as Java counts them
    }
    for (Text text : stems) stem.push_back(java_hash(text));
    if (!tables) return;
    for (std::size_t i = 0; i < forms.size(); ++i) {
        entry[i] = tables->word(forms[i]);
        synsets[i] = synsets_of(*tables, forms[i], entry[i]);
        if (synsets[i].empty()) continue;
        if (synsets[i].back() > most_synsets) throw DamagedTable();
        synset_count = std::max(synset_count, synsets[i].back() + 1);
    }
}

void PhraseIndex::add(std::span<const std::uint32_t> phrases, std::uint32_t place) {
    for (std::uint32_t length = 1; length <= phrases.size(); ++length)
        occurrences_.push_back({phrases[length - 1], length, place});
}

void PhraseIndex::sort() {
    sorted_ = occurrences_;
    std::sort(sorted_.begin(), sorted_.end(),
              [](auto& a, auto& b) { return a.phrase != b.phrase ? a.phrase < b.phrase : a.place < b.place; });
    filter_.fill(0);
    for (const Occurrence& occurrence : sorted_) set_bit(filter_.data(), occurrence.phrase % 4096);
}

std::span<const PhraseIndex::Occurrence> PhraseIndex::of(std::uint32_t phrase) const {
    if (!has_bit(filter_.data(), phrase % 4096)) return {};
    const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), phrase,
                                        [](const Occurrence& a, std::uint32_t b) { return a.phrase < b; });
    auto last = first;
    while (last != sorted_.end() && last->phrase == phrase) ++last;
    return {first, last};
}

MeteorMatcher::MeteorMatcher(const MeteorLexicon& lexicon, const MeteorTables* tables, std::vector<MeteorModule> modules)
    : lexicon_(lexicon), tables_(tables), modules_(std::move(modules)), marked_(lexicon.synset_count) {}

void MeteorMatcher::match(WordIds hypothesis, WordIds reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    width_ = (hypothesis.size() + 63) / 64;
    forms_.clear();
    stems_.clear();
    senses_.clear();
    for (std::uint32_t j = 0; j < hypothesis.size(); ++j) {
        forms_.push_back(lexicon_.form[hypothesis[j]]);
        stems_.push_back(lexicon_.stem[hypothesis[j]]);
        for (std::uint32_t synset : lexicon_.synsets[hypothesis[j]]) senses_.emplace_back(synset, j);
    }
    active_ = modules_;
    const auto same = [this](std::uint32_t form, std::uint32_t word) { return form == lexicon_.form[word]; };
    if (std::equal(forms_.begin(), forms_.end(), reference.begin(), reference.end(), same)) active_.resize(1);

    const bool phrases = tables_ && active_.back() == MeteorModule::paraphrase;
    find_kinds(phrases);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        Matches& matches = distinct_[kind];
        matches.rows.assign(active_.size() * width_, 0);
        matches.phrases.clear();
        for (std::size_t m = 0; m < active_.size(); ++m) match_words(matches, active_[m], &matches.rows[m * width_]);
    }
    if (phrases) match_phrases();
    for (std::size_t kind = 0; kind < kinds_; ++kind) summarize(distinct_[kind]);
}

void MeteorMatcher::find_kinds(bool phrases) {
    kinds_ = 0;
    kind_.clear();
    reference_phrases_.clear();
    for (std::size_t i = 0; i < reference_.size(); ++i) {
        found_.clear();
        if (phrases) phrases_from(reference_, i);
        const std::uint32_t word = reference_[i], phrase = found_.empty() ? MeteorTables::none : found_.back();
        std::uint32_t kind = 0;
        while (kind < kinds_ && (distinct_[kind].word != word || distinct_[kind].phrase != phrase)) ++kind;
        kind_.push_back(kind);
        if (kind < kinds_) continue;
        if (++kinds_ > distinct_.size()) distinct_.emplace_back();
        distinct_[kind].word = word;
        distinct_[kind].phrase = phrase;
        reference_phrases_.add(found_, kind);
    }
}

void MeteorMatcher::match_words(Matches& matches, MeteorModule module, Bits* row) {
    const std::uint32_t form = lexicon_.form[matches.word];
    if (module == MeteorModule::exact) {
        for (std::uint32_t j = 0; j < hypothesis_.size(); ++j)
            if (forms_[j] == form) set_bit(row, j);
    } else if (module == MeteorModule::stem) {
        const std::uint32_t stem = lexicon_.stem[matches.word];
        for (std::uint32_t j = 0; j < hypothesis_.size(); ++j)
            if (stems_[j] == stem && forms_[j] != form) set_bit(row, j);
    } else if (module == MeteorModule::synonym) {
        ++mark_;
        for (std::uint32_t synset : lexicon_.synsets[matches.word]) marked_[synset] = mark_;
        for (const auto& [synset, j] : senses_)
            if (marked_[synset] == mark_ && forms_[j] != form) set_bit(row, j);
    }
}

// A phrase of the reference that has a paraphrase in the hypothesis, then a phrase of the hypothesis that has one in the
// reference: a pair that is listed both ways is found twice, and counts twice in the search.
void MeteorMatcher::match_phrases() {
    hypothesis_phrases_.clear();
    for (std::uint32_t j = 0; j < hypothesis_.size(); ++j) {
        found_.clear();
        phrases_from(hypothesis_, j);
        hypothesis_phrases_.add(found_, j);
    }
    hypothesis_phrases_.sort();
    reference_phrases_.sort();
    for (const auto& here : reference_phrases_.in_order())
        for (std::uint32_t other : tables_->paraphrases[here.phrase])
            for (const auto& there : hypothesis_phrases_.of(other))
                distinct_[here.place].phrases.push_back({here.length, there.place, there.length});
    for (const auto& there : hypothesis_phrases_.in_order())
        for (std::uint32_t other : tables_->paraphrases[there.phrase])
            for (const auto& here : reference_phrases_.of(other))
                distinct_[here.place].phrases.push_back({here.length, there.place, there.length});
}

void MeteorMatcher::summarize(Matches& matches) const {
    matches.starts.clear();
    matches.phrase_gain = 0;
    for (const PhraseMatch& phrase : matches.phrases) {
        matches.starts.push_back(phrase.start);
        matches.phrase_gain = std::max(matches.phrase_gain, gain(MeteorModule::paraphrase, phrase.reference_length, phrase.length));
    }
    std::sort(matches.starts.begin(), matches.starts.end());
    matches.any = !matches.phrases.empty() || std::any_of(matches.rows.begin(), matches.rows.end(), [](Bits bits) { return bits; });
}

// The known phrases that begin at a position, the shortest first, one for each length from one word on.
void MeteorMatcher::phrases_from(WordIds sentence, std::size_t position) {
    std::uint32_t phrase = lexicon_.entry[sentence[position]];
    while (phrase != MeteorTables::none) {
        found_.push_back(phrase);
        if (++position == sentence.size() || lexicon_.entry[sentence[position]] == MeteorTables::none) return;
        phrase = tables_->child(phrase, lexicon_.entry[sentence[position]]);
    }
}

}  // namespace tercet
