// METEOR's `-norm`: punctuation is set apart and made uniform, case is left alone.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "text.hpp"

namespace tercet {

// What becomes of apostrophes; `any_script` is METEOR's simpler procedure for what is not Latin or Cyrillic.
enum class MeteorStyle { english, french, other, any_script };

// Words that keep their full stop; true for those that do so before a number only.
using Abbreviations = std::unordered_map<std::string, bool>;

class MeteorNormalizer {
public:
    MeteorNormalizer(MeteorStyle style, bool punctuation, const Abbreviations& abbreviations)
        : style_(style), punctuation_(punctuation), abbreviations_(abbreviations) {}

    // The line, its tokens separated by spaces.
    std::string operator()(Text line);

private:
    MeteorStyle style_;
    bool punctuation_;  // keep it?
    const Abbreviations& abbreviations_;
    std::u32string text_, next_;

    void western();
    void any_script();
    void uniform_marks();
    void split_contractions();
    void split_full_stops();
    void drop_punctuation();

    // The passes: each is one of METEOR's regular expressions, replaced from left to right without overlap.
    template <class Class> void set_apart(Class in_class);
    void set_apart_runs_of_dots();
    void replace(std::u32string_view from, std::u32string_view to);
    template <class Left, class Right>
    void replace_between(Left left, char32_t mark, Right right, std::u32string_view with);
};

// The words of a line as Java's StringTokenizer finds them.
void split_meteor_words(Text line, Texts& words);

}  // namespace tercet
