// Errors that a user can mend. The text says what was wrong, what was got, what is allowed and how to mend it.
#pragma once

#include <stdexcept>
#include <string>

namespace taut {

// Bad data or a bad file: the command line exits with 1, Python raises ValueError.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that makes no sense whatever the data are: exit code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The user asked a long computation to stop.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& words = "nothing was written") : Error("interrupted: " + words) {}
};

}  // namespace taut
