#include <cli/csv_arguments.hpp>

#include <taut/core/error.hpp>

namespace taut {

void CsvArguments::add(Arguments& arguments) {
  arguments.option({"delimiter", "CHAR", "what separates the cells, or 'tab'; found out where not given"}, delimiter_);
}

CsvOptions CsvArguments::options(const ExecutionContext& context) const {
  CsvOptions options;
  options.context = &context;
  if (delimiter_.empty()) return options;
  const std::string text = delimiter_ == "tab" || delimiter_ == "\\t" ? "\t" : delimiter_;
  if (text.size() != 1) throw UsageError("--delimiter takes one character or 'tab', got '" + delimiter_ + "'");
  options.delimiter = text.front();
  return options;
}

}  // namespace taut
