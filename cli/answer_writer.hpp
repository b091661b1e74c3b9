// Writes the answers of predict and stream to a file.
#pragma once

#include <taut/model/task.hpp>

namespace taut {

// The file has the input columns that are kept, then the columns of the answers. Throws UsageError if two have the same name.
std::unique_ptr<ResultWriter> make_answer_writer(OutputFile& file, const std::string& path, const std::string& data,
                                                 const std::vector<std::string>& keep, const std::vector<AnswerColumn>& columns);

}  // namespace taut
