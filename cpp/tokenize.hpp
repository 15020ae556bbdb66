// The tokenizers of sacreBLEU: none, 13a, intl, char, zh.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "text.hpp"

namespace tercet {

enum class Tokenization { none, v13a, intl, character, zh };

// Classes of code points, one byte each: what unicodedata says, handed over by Python when `intl` is first used.
enum CharacterClass : std::uint8_t { other = 0, number = 1, punctuation = 2, symbol = 3 };
void set_character_classes(std::vector<std::uint8_t> classes);

class Tokenizer {
public:
    explicit Tokenizer(Tokenization kind) : kind_(kind) {}

    // Appends the tokens of a line; they live until release() and as long as the line does.
    void operator()(Text line, Texts& tokens);
    void release() { used_ = 0; }

private:
    Tokenization kind_;
    std::vector<std::unique_ptr<std::string>> kept_;  // texts that tokens point into, reused after release()
    std::size_t used_ = 0;
    std::string before_, after_;
    std::u32string points_, rewritten_;

    std::string& keep();
    void western(Text line, bool padded, Texts& tokens);
    void international(Text line, Texts& tokens);
};

}  // namespace tercet
