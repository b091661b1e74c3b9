// What an outside project may rely on. Every check is one line of main; each says its name when it fails.
#include <taut/taut.hpp>

#include <cstdlib>
#include <iostream>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "failed: " << what << '\n';
  std::exit(1);
}

// Matrices cross the door both ways: allocated here and freed there (overwritten, moved in), and the reverse. Sizes of every
// remainder, for both sides vectorise by their own width.
void matrices_cross_the_door() {
  for (taut::Index size = 1; size < 70; ++size) {
    taut::Archive archive;
    taut::Matrix made_here = taut::Matrix::Constant(size, size, 0.5);
    archive.put("matrix", made_here);
    archive.put("matrix", std::move(made_here));
    const taut::Archive back = taut::Archive::decode(archive.encode());
    taut::Matrix copied = back.get<taut::Matrix>("matrix");
    check((copied * copied).isConstant(0.25 * static_cast<double>(size)), "a matrix comes back through the library");
  }
}

void errors_are_caught_by_type() {
  try {
    taut::Archive().number("absent");
    check(false, "a missing entry is an error");
  } catch (const taut::Error&) {
  }
}

}  // namespace

int main() {
  matrices_cross_the_door();
  errors_are_caught_by_type();
  check(!taut::transforms().names().empty(), "the list of transformations");
  std::cout << "taut " << taut::version << ": " << taut::transforms().names().size() << " transformations\n";
}
