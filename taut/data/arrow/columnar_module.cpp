#include <taut/data/arrow/columnar_module.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <filesystem>
#include <mutex>
#include <vector>

#ifndef _WIN32
#include <dlfcn.h>
#endif

// The library folder of `cmake --install`, relative to the prefix. CMake defines it.
#ifndef TAUT_LIBRARY_FOLDER
#define TAUT_LIBRARY_FOLDER "lib"
#endif

namespace taut {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_missing(const std::string& wanted, const std::string& why) {
  throw Error(format_text(
      "{}, and this build of Taut has no support for it: {}. Install pyarrow (tools/setup python) or Arrow's C++ packages, then "
      "configure and build again; or convert the file to CSV: "
      "python3 -c \"import pandas; pandas.read_parquet('FILE.parquet').to_csv('FILE.csv', index=False)\", "
      "or duckdb -c \"copy 'FILE.parquet' to 'FILE.csv'\"",
      wanted, why));
}

#ifndef _WIN32

constexpr const char* module_file = "libtaut_columnar.so";

// The folder of the program or library that contains this code.
fs::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&columnar_calls), &info) == 0 || info.dli_fname == nullptr) return ".";
  std::error_code ignored;
  // For a program, the name may be the one that the user typed, without a folder.
  fs::path file = fs::canonical(info.dli_fname, ignored);
  if (ignored) file = fs::read_symlink("/proc/self/exe", ignored);
  return file.parent_path();
}

// Candidate paths. In a build the module is beside the program or above a test. When installed, it is in a subfolder of the
// library folder, which is relative to the program or to the library.
std::vector<fs::path> places() {
  const fs::path own = own_folder();
  return {own / module_file, own / ".." / module_file, own / "taut" / module_file,
          own / ".." / TAUT_LIBRARY_FOLDER / "taut" / module_file};
}

// Loads the module, or sets `why`. It is never unloaded: its streams may live until the program ends.
const TautColumnarCalls* load(std::string& why) {
  why = format_text("the module {} was not built", module_file);
  for (const fs::path& place : places()) {
    std::error_code ignored;
    if (!fs::exists(place, ignored)) continue;
    void* module = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto* calls =
        module == nullptr ? nullptr : static_cast<const TautColumnarCalls*>(::dlsym(module, "taut_columnar_calls"));
    if (calls != nullptr && calls->version == columnar_version) return calls;
    why = module == nullptr ? std::string("the module cannot be loaded: ") + ::dlerror()
                            : format_text("the module {} belongs to another version of Taut", place.string());
  }
  return nullptr;
}

#else

const TautColumnarCalls* load(std::string& why) {
  why = "on Windows it is not built yet";
  return nullptr;
}

#endif

}  // namespace

const TautColumnarCalls& columnar_calls(const std::string& wanted) {
  static std::mutex mutex;
  static const TautColumnarCalls* calls = nullptr;
  static std::string why;
  const std::lock_guard lock(mutex);
  if (calls == nullptr) calls = load(why);
  if (calls == nullptr) fail_missing(wanted, why);
  return *calls;
}

}  // namespace taut
