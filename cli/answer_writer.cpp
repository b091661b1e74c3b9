#include <cli/answer_writer.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <set>

namespace taut {

std::unique_ptr<ResultWriter> make_answer_writer(OutputFile& file, const std::string& path, const std::string& data,
                                                 const std::vector<std::string>& keep, const std::vector<AnswerColumn>& columns) {
  std::vector<std::string> names;
  std::set<std::string> texts;
  for (const AnswerColumn& column : columns) {
    if (std::find(names.begin(), names.end(), column.name) != names.end())
      throw UsageError("the output would have the column '" + column.name + "' twice; ask for it once");
    names.push_back(column.name);
    if (column.is_text) texts.insert(column.name);
  }
  for (const auto& name : keep)
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw UsageError("--keep: the output has a column '" + name + "' of its own; rename the one in " + data);
  return make_result_writer(file, path, keep, names, texts);
}

}  // namespace taut
