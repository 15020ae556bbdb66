#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "text.hpp"

namespace tercet {

// Where the first ill-formed UTF-8 sequence starts, if there is one. Surrogates, overlong forms and code points above
// U+10FFFF are ill-formed (Unicode 15, table 3-7).
std::optional<std::size_t> ill_formed_utf8(Text text);

// A text without white space at its end, as str.rstrip() leaves it.
Text strip_end(Text text);

// Where each segment starts, and one number more: segment i is text[starts[i]] up to text[starts[i + 1] - 1], the place
// of its '\n', which the last one may lack. An empty text has no segments.
std::vector<std::int64_t> line_starts(Text text);

}  // namespace tercet
