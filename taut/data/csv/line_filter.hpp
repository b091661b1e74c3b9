// Simplifies the text of a file while it is read: comment lines become blank, and runs of blanks become one delimiter.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// Works piece by piece. The number of lines stays the same, so that messages name the lines of the file.
class LineFilter {
 public:
  static constexpr char delimiter_for_blanks = '\t';

  LineFilter() = default;
  // `drops_comments`: lines that begin with # outside quotes become blank. `joins_blanks`: a run of blanks and tabs between two
  // fields becomes one tab; those at the start and the end of a line are removed. `delimiter`: of a file without such runs.
  LineFilter(bool drops_comments, bool joins_blanks, char delimiter)
      : drops_comments_(drops_comments), joins_blanks_(joins_blanks), delimiter_(delimiter) {}

  bool is_active() const { return drops_comments_ || joins_blanks_; }
  // Appends the simplified text to `out`.
  void apply(std::string_view text, std::string& out);

 private:
  enum class At { line_start, field_start, field, quoted, after_quote, comment };

  At after(char c) const;

  bool drops_comments_ = false, joins_blanks_ = false;
  char delimiter_ = ',';
  At at_ = At::line_start;
  bool owes_delimiter_ = false;  // blanks followed a field; they become a delimiter if another field follows
};

}  // namespace taut
