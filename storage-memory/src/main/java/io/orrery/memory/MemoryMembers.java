package io.orrery.memory;

import io.orrery.storage.Joining;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Those who serve one storage in memory: parts of the same process, which hear of each other at
 * once. Tests can take one of them for dead.
 */
public final class MemoryMembers {
  private final List<Node> nodes = new CopyOnWriteArrayList<>();
  private long last;

  synchronized Membership join(Joining joining) {
    var node = new Node(joining);
    node.enter();
    return node;
  }

  /** Lets a member be taken for dead, until it is let in again under another number. */
  public void expel(Membership member) {
    ((Node) member).leave();
  }

  /** Lets one in again that was taken for dead. */
  public void readmit(Membership member) {
    ((Node) member).enter();
  }

  private List<Member> present() {
    var present = new ArrayList<Member>();
    nodes.forEach(node -> present.add(node.self));
    return present;
  }

  private void changed() {
    for (Node node : nodes) {
      node.listeners.forEach(Runnable::run);
    }
  }

  private final class Node implements Membership {
    private final Joining joining;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Member self;
    private volatile boolean current;

    Node(Joining joining) {
      this.joining = joining;
      this.self = new Member(0, joining.address(), joining.build());
    }

    private void enter() {
      synchronized (MemoryMembers.this) {
        last++;
        self = new Member(last, joining.address(), joining.build());
        nodes.add(this);
        current = true;
      }
      changed();
    }

    private void leave() {
      current = false;
      nodes.remove(this);
      listeners.forEach(Runnable::run);
      changed();
    }

    @Override
    public Member self() {
      return self;
    }

    @Override
    public List<Member> members() {
      return present();
    }

    @Override
    public List<Member> membersNow() {
      return present();
    }

    @Override
    public boolean isCurrent() {
      return current;
    }

    @Override
    public void onChange(Runnable listener) {
      listeners.add(listener);
    }

    @Override
    public void close() {
      leave();
    }
  }
}
