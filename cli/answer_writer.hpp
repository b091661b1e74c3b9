// Answers of predict and stream into a file.
#pragma once

#include <taut/model/task.hpp>

namespace taut {

// The columns of the input that are kept, then those of the answers. UsageError where two have the same name.
std::unique_ptr<ResultWriter> make_answer_writer(OutputFile& file, const std::string& path, const std::string& data,
                                                 const std::vector<std::string>& keep, const std::vector<AnswerColumn>& columns);

}  // namespace taut
