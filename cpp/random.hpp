// Random numbers that depend on (seed, stream) only: a sample is the same whichever thread draws it.
#pragma once

#include <bit>
#include <cstdint>

namespace tercet {

// xoshiro256** (Blackman & Vigna 2018), its state filled by splitmix64.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t stream) {
        std::uint64_t mix = scramble(seed) ^ scramble(stream + 0x632BE59BD9B4E019ull);
        for (auto& word : state_) word = scramble(mix += 0x9E3779B97F4A7C15ull);
    }
    std::uint64_t operator()() {
        const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9, shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }
    // A number below n; the bias is below n / 2^32.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((*this)() >> 32) * n >> 32); }

private:
    std::uint64_t state_[4];

    static std::uint64_t scramble(std::uint64_t x) {
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ x >> 27) * 0x94D049BB133111EBull;
        return x ^ x >> 31;
    }
};

}  // namespace tercet
