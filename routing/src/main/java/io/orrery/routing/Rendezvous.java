package io.orrery.routing;

import io.orrery.storage.Member;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a node for each budget, and so for the partitions that draw upon it, so that all choose
 * the same, each gets about as many, and a node that comes or goes moves only its own.
 */
final class Rendezvous {
  private Rendezvous() {}

  /** Null where there is nobody. */
  static @Nullable Member choose(BudgetOwner owner, List<Member> members) {
    Member best = null;
    long most = 0;
    for (Member member : members) {
      long score = mix(mix(member.number()) ^ owner.key());
      if (best == null || Long.compareUnsigned(score, most) > 0) {
        best = member;
        most = score;
      }
    }
    return best;
  }

  // The finisher of MurmurHash3, which spreads every bit over all of them.
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 33)) * 0xFF51_AFD7_ED55_8CCDL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xC4CE_B9FE_1A85_EC53L;
    return mixed ^ (mixed >>> 33);
  }
}
