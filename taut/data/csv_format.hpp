// What has to be known about a CSV file to take its records apart.
#pragma once

#include <taut/data/missing_words.hpp>

#include <string>
#include <vector>

namespace taut {

struct CsvFormat {
  std::string source;  // the file's name, for messages
  char delimiter = ',';
  std::vector<std::string> names = {};  // of the columns; unknown until the header has been read
  // Columns that a record may lack: 1 where records end with a delimiter that the header does not have.
  std::size_t optional = 0;
  MissingWords missing_words = {};
};

}  // namespace taut
