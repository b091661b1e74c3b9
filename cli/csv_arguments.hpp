// The option that every command with a CSV file has.
#pragma once

#include <cli/arguments.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/model/options.hpp>

namespace taut {

// What the options of a fit say about how cells are read.
void read_by(const FitOptions& options, CsvOptions& csv);

class CsvArguments {
 public:
  void add(Arguments& arguments);
  CsvOptions options(const ExecutionContext& context) const;

 private:
  std::string delimiter_;
};

}  // namespace taut
