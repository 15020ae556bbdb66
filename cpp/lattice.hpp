// The nearest path of a lattice: edit distance to all its sentences at once, by the length that is asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "text.hpp"
#include "tokenize.hpp"

namespace tercet {

// Any of the words first_word to last_word leads from source to target.
struct LatticeEdge {
    std::int32_t source, target;
    std::size_t first_word, last_word;
};

// An acyclic word automaton without empty words; state 0 is the start, and every edge leads to a higher number.
struct Lattice {
    std::int32_t states = 1;
    std::vector<LatticeEdge> edges;          // by target
    std::vector<std::int32_t> first_edge;    // of each state, those that lead to it; and the end
    std::vector<std::int32_t> last_use;      // of each state, the highest state that an edge leads to from it, or -1
    std::vector<bool> final;
    std::int32_t longest = 0;                // words of the longest path
};

// Lattices and the words on their edges, which they own.
class Lattices {
public:
    // Edges come in any order. Throws std::invalid_argument unless they are as `Lattice` says and a final state is reached.
    void add(std::int32_t states, std::vector<LatticeEdge> edges, const std::vector<std::int32_t>& finals);
    std::size_t add_word(Text word);

    std::size_t size() const { return lattices_.size(); }
    std::size_t words() const { return ids_.size(); }
    const Lattice& operator[](std::size_t i) const { return lattices_[i]; }
    Text word(std::size_t i) const { return *spelled_[ids_[i]]; }

    // Words that are spelled alike have one number.
    static constexpr std::uint32_t unknown = 0xFFFFFFFF;
    std::uint32_t id(std::size_t i) const { return ids_[i]; }
    std::uint32_t find(Text word) const {
        const auto found = numbers_.find(word);
        return found == numbers_.end() ? unknown : found->second;
    }
    std::size_t distinct() const { return spelled_.size(); }

private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(Text text) const { return std::hash<Text>{}(text); }
    };
    std::vector<Lattice> lattices_;
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
    std::vector<const std::string*> spelled_;  // the keys of numbers_, which stay where they are
    std::vector<std::uint32_t> ids_;
};

// What edits are divided by: words of the path, of both sides, or of the longer side.
enum class Normalizer { reference, sum, longer };

struct LatticeOptions {
    Tokenization tokenization;
    Normalizer normalizer;
    int window;  // a word may be read up to so many places ahead of the first that is not read yet; 0: in order
};

// One step from a hypothesis to the path: '=' the words are equal, 's' replaced, 'd' only the hypothesis has it, 'i' only
// the path has it. Places are -1 where a side has no word; `word` is a number of Lattices::word.
struct LatticeStep {
    char edit;
    std::int32_t place;
    std::int64_t word;
};

struct LatticeMatch {
    double edits, length;
    std::vector<LatticeStep> steps;
};

// A row a segment: edits and normaliser of the path for which edits / normaliser is lowest; of such paths the one with the
// fewest edits. An empty path, by its own length, has the ratio 1, or 0 for an empty hypothesis.
void lattice_distances(const Texts& hypotheses, const Lattices& lattices, const std::vector<std::size_t>& which,
                       const LatticeOptions& options, double* rows);

// The same for one segment, with the path and how the hypothesis becomes it, from left to right.
LatticeMatch lattice_match(Text hypothesis, const Lattices& lattices, std::size_t which, const LatticeOptions& options);

}  // namespace tercet
