#include <taut/task/number/student.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

namespace taut {

std::string StudentRecord::describe() const {
  const std::string more = made > 0 ? format_text(" and {} made from them", print_count(made)) : std::string();
  return format_text("  a student of {} ({}), on {} of {}{}\n", teacher, teacher_parts, counted(rows, "row"), rows_source, more);
}

Value StudentRecord::facts() const {
  return Value::object({{"teacher", teacher},
                        {"teacher_parts", teacher_parts},
                        {"rows_source", rows_source},
                        {"rows", rows},
                        {"made_rows", made}});
}

void StudentRecord::save(Archive archive) const {
  archive.put("teacher", teacher);
  archive.put("teacher_parts", teacher_parts);
  archive.put("rows_source", rows_source);
  archive.put("rows", static_cast<std::int64_t>(rows));
  archive.put("made", static_cast<std::int64_t>(made));
}

StudentRecord StudentRecord::load(const Archive& archive) {
  constexpr std::int64_t maximum = std::int64_t{1} << 53;
  return {archive.text("teacher"), archive.text("teacher_parts"), archive.text("rows_source"),
          archive.integer_in("rows", 0, maximum), archive.integer_in("made", 0, maximum)};
}

}  // namespace taut
