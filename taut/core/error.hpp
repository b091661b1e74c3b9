// Errors that the user can fix. The message says what was wrong, what was found, what is allowed and how to fix it.
#pragma once

#include <stdexcept>
#include <string>

namespace taut {

// Invalid data or an invalid file: the command line exits with 1, Python raises ValueError.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that is invalid for any data: the command line exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// The user asked a long computation to stop.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& details = "nothing was written") : Error("interrupted: " + details) {}
};

}  // namespace taut
