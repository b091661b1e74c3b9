#include <cli/answer_writer.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <set>

namespace taut {

std::unique_ptr<ResultWriter> make_answer_writer(OutputFile& file, const std::string& path, const std::string& data,
                                                 const std::vector<std::string>& keep, const std::vector<AnswerColumn>& columns) {
  std::vector<std::string> names;
  std::set<std::string> texts;
  for (const AnswerColumn& column : columns) {
    if (std::find(names.begin(), names.end(), column.name) != names.end())
      throw UsageError(format_text("the output would have the column '{}' twice; ask for it once", column.name));
    names.push_back(column.name);
    if (column.is_text) texts.insert(column.name);
  }
  for (const auto& name : keep)
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw UsageError(format_text("--keep: the output already has a column '{}'; rename the one in {}", name, data));
  return make_result_writer(file, path, keep, names, texts);
}

}  // namespace taut
