#include <taut/trees/xgboost.hpp>

#include <taut/core/error.hpp>
#include <taut/trees/xgboost_places.hpp>

#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include <dlfcn.h>

namespace taut {

namespace {

constexpr const char* wait_policy = "OMP_WAIT_POLICY";

// XGBoost's OpenMP threads wait for work in a busy loop, which makes training twenty times slower beside another busy
// process, unless this variable says otherwise while the OpenMP library is being loaded. Where the host program has loaded
// the same OpenMP library before us, nothing can be done from here. A choice of the user's own stays.
void* open_with_sleeping_threads(const char* file) {
  const bool ours = std::getenv(wait_policy) == nullptr;
  if (ours) setenv(wait_policy, "passive", 0);
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (ours) unsetenv(wait_policy);
  return library;
}

struct Places {
  std::mutex mutex;
  std::vector<std::string> files = {"libxgboost.so.0", "libxgboost.so", TAUT_XGBOOST_LIBRARY};
};

Places& places() {
  static Places result;
  return result;
}

// A user who has several may name the one to take.
std::vector<std::string> files_to_try() {
  const char* chosen = std::getenv("TAUT_XGBOOST");
  const std::lock_guard lock(places().mutex);
  return chosen != nullptr ? std::vector<std::string>{chosen} : places().files;
}

XGBoost open_library() {
  void* library = nullptr;
  for (const auto& file : files_to_try())
    if (library == nullptr) library = open_with_sleeping_threads(file.c_str());
  if (library == nullptr)
    throw Error(std::string("cannot load XGBoost, which grows the boosted trees: ") + dlerror() +
                "; install the package libxgboost-dev (for Python also: pip install xgboost), or choose parts that need no trees "
                "(--predictor knn --localizer mlp)");
  XGBoost functions;
#define TAUT_LOOK_UP(name)                                                     \
  functions.name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name)); \
  if (functions.name == nullptr) throw Error("this XGBoost library lacks " #name "; version 1.7 or later is needed");
  TAUT_XGBOOST_FUNCTIONS(TAUT_LOOK_UP)
#undef TAUT_LOOK_UP
  functions.XGBoosterTrainOneIter =
      reinterpret_cast<decltype(functions.XGBoosterTrainOneIter)>(dlsym(library, "XGBoosterTrainOneIter"));
  return functions;
}

}  // namespace

void XGBoost::check(int status) const {
  if (status != 0) throw Error(std::string("XGBoost failed: ") + XGBGetLastError());
}

void also_look_for_xgboost_at(const std::string& file) {
  const std::lock_guard lock(places().mutex);
  places().files.push_back(file);
}

const XGBoost& xgboost() {
  static const XGBoost functions = open_library();
  return functions;
}

}  // namespace taut
