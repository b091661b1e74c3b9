// Only this file includes the formatting library: its headers are large, and messages need little of it.
#include <taut/core/format.hpp>

#ifndef FMT_HEADER_ONLY
#define FMT_HEADER_ONLY
#endif
#include <fmt/args.h>
#include <fmt/format.h>

namespace taut {

std::string format_arguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments) {
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (const FormatArgument& argument : arguments)
    std::visit([&store](const auto& value) { store.push_back(value); }, argument.value);
  return fmt::vformat(pattern, store);
}

}  // namespace taut
