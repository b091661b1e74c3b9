// The option that every command with a CSV file has.
#pragma once

#include <cli/arguments.hpp>
#include <taut/data/csv_reader.hpp>

namespace taut {

class CsvArguments {
 public:
  void add(Arguments& arguments);
  CsvOptions options(const ExecutionContext& context) const;

 private:
  std::string delimiter_;
};

}  // namespace taut
