// The list of joint regions.
#include <taut/task/several/joint_region.hpp>

namespace taut {

Listed<JointRegion> box_region();
Listed<JointRegion> ellipsoid_region();
Listed<JointRegion> density_region();

Registry<JointRegion>& joint_regions() {
  static Registry<JointRegion> listed("region", {box_region(), ellipsoid_region(), density_region()});
  return listed;
}

}  // namespace taut
