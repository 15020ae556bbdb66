#include "lines.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace tercet {

namespace {

// A finite automaton whose state is a shift: the entry of a byte holds the next state of every state, six bits each, so
// that a step is one load and one shift, without a branch.
enum State : unsigned {
    bad = 0,         // stays bad
    ground = 6,      // between two code points
    one_more = 12,   // continuation bytes still to come
    two_more = 18,
    three_more = 24,
    after_e0 = 30,   // the second byte is limited after these four: no overlong form, no surrogate, none too large
    after_ed = 36,
    after_f0 = 42,
    after_f4 = 48,
};

constexpr State step(State state, unsigned byte) {
    const auto within = [byte](unsigned low, unsigned high) { return low <= byte && byte <= high; };
    switch (state) {
        case ground:
            if (byte < 0x80) return ground;
            if (within(0xC2, 0xDF)) return one_more;
            if (byte == 0xE0) return after_e0;
            if (byte == 0xED) return after_ed;
            if (within(0xE1, 0xEF)) return two_more;
            if (byte == 0xF0) return after_f0;
            if (within(0xF1, 0xF3)) return three_more;
            return byte == 0xF4 ? after_f4 : bad;
        case one_more: return within(0x80, 0xBF) ? ground : bad;
        case two_more: return within(0x80, 0xBF) ? one_more : bad;
        case three_more: return within(0x80, 0xBF) ? two_more : bad;
        case after_e0: return within(0xA0, 0xBF) ? one_more : bad;
        case after_ed: return within(0x80, 0x9F) ? one_more : bad;
        case after_f0: return within(0x90, 0xBF) ? two_more : bad;
        case after_f4: return within(0x80, 0x8F) ? two_more : bad;
        case bad: break;
    }
    return bad;
}

constexpr std::array<std::uint64_t, 256> transitions = [] {
    std::array<std::uint64_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned state = bad; state <= after_f4; state += 6)
            table[byte] |= static_cast<std::uint64_t>(step(static_cast<State>(state), byte)) << state;
    return table;
}();

using Byte = unsigned char;

constexpr std::size_t block = 32;   // bytes that are passed over at once where they are ASCII
constexpr std::size_t span = 4096;  // bytes between two looks at whether the state is bad

bool ascii(const Byte* p) {
    std::uint64_t words[block / 8];
    std::memcpy(words, p, block);
    return ((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080ull) == 0;
}

std::uint64_t run(std::uint64_t state, const Byte* p, const Byte* end) {
    for (; p < end; ++p) state = transitions[*p] >> (state & 63);
    return state;
}

// The nearest place at or before p where a code point may start: no more than three steps back in well-formed text.
const Byte* boundary(const Byte* begin, const Byte* p) {
    for (int steps = 0; steps < 3 && begin < p && (*p & 0xC0) == 0x80; ++steps) --p;
    return p;
}

// Two automata, one a half, so that neither waits for the other: a step has to wait for the one before it.
bool well_formed(const Byte* begin, const Byte* end) {
    const Byte *middle = boundary(begin, begin + (end - begin) / 2), *p = begin, *q = middle;
    std::uint64_t first = ground, second = ground;
    for (; p + block <= middle && q + block <= end; p += block, q += block) {
        if ((first & 63) == ground && (second & 63) == ground && ascii(p) && ascii(q)) continue;
        for (std::size_t i = 0; i < block; ++i) {
            first = transitions[p[i]] >> (first & 63);
            second = transitions[q[i]] >> (second & 63);
        }
    }
    return (run(first, p, middle) & 63) == ground && (run(second, q, end) & 63) == ground;
}

}  // namespace

std::optional<std::size_t> ill_formed_utf8(Text text) {
    const auto* begin = reinterpret_cast<const Byte*>(text.data());
    const auto* end = begin + text.size();
    const Byte* from = begin;  // all is well before
    while (end - from >= static_cast<std::ptrdiff_t>(span)) {
        const Byte* stop = boundary(from, from + span - 1);
        if (!well_formed(from, stop)) break;
        from = stop;
    }
    while (from < end) {  // the span with the fault, a code point at a time
        const Byte* p = from;
        std::uint64_t state = ground;
        do {
            if (p == end) return from - begin;
            state = transitions[*p++] >> (state & 63);
            if ((state & 63) == bad) return from - begin;
        } while ((state & 63) != ground);
        from = p;
    }
    return std::nullopt;
}

Text strip_end(Text text) {
    while (!text.empty()) {
        const auto* end = reinterpret_cast<const Byte*>(text.data()) + text.size();
        const Byte* last = boundary(end - text.size(), end - 1);
        // No white space has more than three bytes; an ill-formed sequence is none, whatever it would decode to.
        if (end - last > 3 || (run(ground, last, end) & 63) != ground) break;
        char32_t c = *last;
        if (end - last == 2) c = (c & 0x1F) << 6 | (last[1] & 0x3F);
        if (end - last == 3) c = (c & 0x0F) << 12 | (last[1] & 0x3F) << 6 | (last[2] & 0x3F);
        if (!is_space(c)) break;
        text.remove_suffix(end - last);
    }
    return text;
}

std::vector<std::int64_t> line_starts(Text text) {
    std::vector<std::int64_t> starts;
    if (text.empty()) return starts;
    starts.push_back(0);
    const char *p = text.data(), *end = p + text.size();
    while (p < end && (p = static_cast<const char*>(std::memchr(p, '\n', end - p))))
        starts.push_back(++p - text.data());
    if (text.back() != '\n') starts.push_back(static_cast<std::int64_t>(text.size()) + 1);
    starts.shrink_to_fit();  // kept as long as the file is
    return starts;
}

}  // namespace tercet
