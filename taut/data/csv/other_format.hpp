// Files that are no tables of text: recognised by their first bytes, with the command that converts them.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// Throws an Error if a file starts like a format that Taut does not read: Excel, JSON, HTML, pickle, files of R, SAS, Stata,
// SPSS, SQLite, archives. The message names the format and a command that writes CSV. `source`: the name of the file.
void refuse_other_format(std::string_view first_bytes, const std::string& source);

}  // namespace taut
