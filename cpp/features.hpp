// Hashed features of tokens: what a template may ask of a sentence, and the sparse table of weights that keys look up.
// All is 32-bit arithmetic, so that a model means the same on every machine.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "text.hpp"

namespace tercet {

// Sentences of tokens, flat: those of sentence i are texts[start[i]] to texts[start[i + 1]].
using Sentences = References;

inline std::uint32_t hash_bytes(Text text, std::uint32_t h = 2166136261u) {  // FNV-1a
    for (char byte : text) h = (h ^ static_cast<unsigned char>(byte)) * 16777619u;
    return h;
}

inline std::uint32_t mix(std::uint32_t h, std::uint32_t value) {
    h = (h ^ value) * 0x9E3779B1u;
    return h ^ h >> 15;
}

// Small letters as far as Latin-1, digits as 0: the form under which a word is looked up.
std::string lowered(Text word);
// X for capitals, x for small letters, 0 for digits, u for what is beyond Latin, anything else as it is;
// equal neighbours are one, and eight tell enough.
std::string shape(Text word);

// Open addressing from keys to their places in a sorted or unsorted list; a missing key is -1.
class KeyIndex {
public:
    KeyIndex() = default;
    explicit KeyIndex(std::span<const std::uint32_t> keys) : slots_(std::bit_ceil(2 * keys.size() + 2)) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            std::size_t s = place(keys[i]);
            while (slots_[s].index >= 0) s = (s + 1) & (slots_.size() - 1);
            slots_[s] = {keys[i], static_cast<std::int32_t>(i)};
        }
    }
    std::int32_t find(std::uint32_t key) const {
        for (std::size_t s = place(key);; s = (s + 1) & (slots_.size() - 1))
            if (slots_[s].index < 0 || slots_[s].key == key) return slots_[s].index;
    }

private:
    struct Slot {
        std::uint32_t key = 0;
        std::int32_t index = -1;
    };
    std::vector<Slot> slots_{1};
    std::size_t place(std::uint32_t key) const { return (key * 0x85EBCA6Bu >> 3) & (slots_.size() - 1); }
};

// Weights of a linear model with many features and few labels, of which most pairs have none.
class WeightTable {
public:
    struct Entry {
        std::int16_t weight;
        std::uint16_t label;
    };
    struct Run {  // of entries; an empty one is of a key that has no weights
        std::uint32_t begin = 0, end = 0;
    };
    WeightTable(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> starts,
                std::span<const std::uint8_t> labels, std::span<const std::int16_t> weights);

    std::size_t labels() const { return labels_; }  // one more than the greatest that has a weight

    // The table is larger than the processor's caches. Who asks for many keys asks for the slots of all first, then for
    // the runs of all, and adds last: so what is waited for comes at the same time.
    void fetch(std::uint32_t key) const { __builtin_prefetch(&slots_[place(key)]); }
    Run find(std::uint32_t key) const {
        for (std::size_t s = place(key);; s = (s + 1) & (slots_.size() - 1))
            if (slots_[s].run.begin == slots_[s].run.end || slots_[s].key == key) {
                __builtin_prefetch(&entries_[slots_[s].run.begin]);
                return slots_[s].run;
            }
    }
    void add(Run run, std::int32_t* scores) const {
        for (std::uint32_t e = run.begin; e < run.end; ++e) scores[entries_[e].label] += entries_[e].weight;
    }
    void add_to(std::int32_t* scores, std::uint32_t key) const { add(find(key), scores); }

private:
    struct Slot {
        std::uint32_t key = 0;
        Run run;
    };
    std::vector<Slot> slots_;
    std::vector<Entry> entries_;
    std::size_t labels_ = 0;

    std::size_t place(std::uint32_t key) const { return (key * 0x85EBCA6Bu >> 3) & (slots_.size() - 1); }
};

// Classes of words from a lexicon; 0 for a word that it does not hold.
class Lexicon {
public:
    Lexicon(std::span<const std::uint32_t> keys, std::span<const std::uint16_t> classes)
        : index_(keys), classes_(classes.begin(), classes.end()) {}
    std::uint32_t find(std::uint32_t lowered_hash) const {
        const std::int32_t i = index_.find(lowered_hash);
        return i < 0 ? 0 : classes_[i];
    }

private:
    KeyIndex index_;
    std::vector<std::uint16_t> classes_;
};

// Templates over the attributes of tokens: "lower[0]", "column0[-1] column0[0]"; an empty one is the bias.
// Attributes: form, lower, shape, prefixN, suffixN (of `lower`, in characters), class (from the lexicon), columnN.
class Templates {
public:
    explicit Templates(const std::vector<std::string>& descriptions);

    std::size_t size() const { return templates_.size(); }
    std::size_t columns() const { return columns_; }

    // Reads the sentence into `values`; then keys_at gives one key a template for the token at a place.
    // columns[c] points at the first of the sentence's values in column c.
    void read(std::span<const Text> tokens, const std::vector<const std::int32_t*>& columns, const Lexicon& lexicon,
              std::vector<std::uint32_t>& values) const;
    void keys_at(std::size_t place, std::size_t length, const std::vector<std::uint32_t>& values,
                 std::uint32_t* keys) const;

private:
    enum class Kind { form, lower, shape, prefix, suffix, word_class, column };
    struct Attribute {
        Kind kind;
        int number;
        bool operator==(const Attribute&) const = default;
    };
    struct Part {
        std::size_t attribute;
        int offset;
    };
    std::vector<Attribute> attributes_;
    std::vector<std::vector<Part>> templates_;
    std::size_t columns_ = 0;

    std::size_t attribute(const std::string& name);
};

}  // namespace tercet
