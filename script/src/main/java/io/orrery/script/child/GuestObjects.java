package io.orrery.script.child;

import com.oracle.truffle.api.object.HiddenKey;
import com.oracle.truffle.api.object.Property;
import com.oracle.truffle.api.object.Shape;
import com.oracle.truffle.api.strings.TruffleString;
import com.oracle.truffle.js.runtime.JSContext;
import com.oracle.truffle.js.runtime.JSRealm;
import com.oracle.truffle.js.runtime.Strings;
import com.oracle.truffle.js.runtime.builtins.JSArray;
import com.oracle.truffle.js.runtime.builtins.JSObjectFactory;
import com.oracle.truffle.js.runtime.builtins.JSOrdinary;
import com.oracle.truffle.js.runtime.objects.JSAttributes;
import com.oracle.truffle.js.runtime.objects.JSDynamicObject;
import com.oracle.truffle.js.runtime.objects.JSObject;
import com.oracle.truffle.js.runtime.objects.JSObjectUtil;
import com.oracle.truffle.js.runtime.objects.JSOrdinaryObject;
import com.oracle.truffle.js.runtime.objects.JSProperty;
import com.oracle.truffle.js.runtime.objects.Null;
import com.oracle.truffle.js.runtime.objects.PropertyProxy;
import com.oracle.truffle.js.runtime.objects.Undefined;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Items as objects of the engine that are not parsed: a member is found in the stored text when
 * code asks for it. To code they are objects like any other, because the engine itself knows
 * properties whose value is made when it is read, as the length of an array is. Reaches into the
 * engine, so it goes with its version. One for all contexts of an engine.
 */
final class GuestObjects {
  /** Reading all of a longer one by looking for each member would take longer than parsing it. */
  private static final int TEXT_BYTES_MAX = 4_096;

  /** As many as an int has bits. */
  private static final int MEMBERS_MAX = Integer.SIZE;

  private static final int TEMPLATES_MAX = 1_000;
  private static final HiddenKey SOURCE = new HiddenKey("source");

  private final ConcurrentMap<List<String>, Template> templates = new ConcurrentHashMap<>();

  /** The last one used: most often the next item has the same members. */
  private volatile @Nullable Template recent;

  /** An object of the context that the thread is in; null where it is better to parse it. */
  @Nullable Object of(Value.Obj object) {
    int sizeBytes = RawJson.sizeOf(object);
    if (sizeBytes < 0 || sizeBytes > TEXT_BYTES_MAX) {
      return null;
    }
    JSRealm realm = JSRealm.get(null);
    Template template = recent;
    if (template == null || !RawJson.isNamed(object, template.names)) {
      template = template(List.copyOf(object.members().keySet()), realm);
      if (template == null) {
        return null;
      }
      recent = template;
    }
    return template.context.equals(realm.getContext()) ? template.object(object, realm) : null;
  }

  private @Nullable Template template(List<String> names, JSRealm realm) {
    Template known = templates.get(names);
    if (known != null || names.size() > MEMBERS_MAX || templates.size() >= TEMPLATES_MAX) {
      return known;
    }
    return templates.computeIfAbsent(names, n -> Template.of(n, realm));
  }

  /** What objects with the same members share. */
  private record Template(
      List<String> names, JSContext context, Shape shape, JSObjectFactory factory) {

    static Template of(List<String> names, JSRealm realm) {
      JSContext context = realm.getContext();
      JSObject first =
          JSOrdinaryObject.create(
              context.getEmptyShapePrototypeInObject(), realm.getObjectPrototype());
      for (int i = 0; i < names.size(); i++) {
        var member = new Member(names.get(i), 1 << i);
        JSObjectUtil.defineProxyProperty(first, member.key, member, JSAttributes.getDefault());
      }
      Shape shape = first.getShape();
      return new Template(names, context, shape, JSObjectFactory.createUnbound(context, shape));
    }

    JSObject object(Value.Obj content, JSRealm realm) {
      JSDynamicObject prototype = realm.getObjectPrototype();
      JSObject made =
          factory.initProto(JSOrdinaryObject.create(shape, prototype), realm, prototype);
      JSObjectUtil.putHiddenProperty(made, SOURCE, new Source(content));
      return made;
    }
  }

  /** Where the members of one object come from. */
  private static final class Source {
    private final Value.Obj content;

    /** A bit for each member that was read before. */
    private int read;

    Source(Value.Obj content) {
      this.content = content;
    }
  }

  /** A property that nobody has changed yet. */
  private static final class Member extends PropertyProxy {
    private final String name;
    private final TruffleString key;
    private final int bit;

    Member(String name, int bit) {
      this.name = name;
      this.key = Strings.fromJavaString(name);
      this.bit = bit;
    }

    @Override
    public Object get(JSDynamicObject owner) {
      var source = (Source) Objects.requireNonNull(JSDynamicObject.getOrNull(owner, SOURCE));
      Value value = source.content.members().getOrDefault(name, Value.UNDEFINED);
      boolean kept =
          (source.read & bit) != 0 || value instanceof Value.Obj || value instanceof Value.Arr;
      source.read |= bit;
      return kept ? kept(owner, value) : plain(value, JSRealm.get(null));
    }

    /** Makes it a property like any other: objects must stay the same, and loops be quick. */
    private Object kept(JSDynamicObject owner, Value value) {
      Property present = owner.getShape().getProperty(key);
      if (present != null && !JSProperty.isProxy(present)) {
        // Done by somebody who looked at the properties as they were before.
        return JSDynamicObject.getOrDefault(owner, key, Undefined.instance);
      }
      Object made = plain(value, JSRealm.get(null));
      if (present != null) {
        set(owner, made);
      }
      return made;
    }

    @Override
    public boolean set(JSDynamicObject owner, Object value) {
      int attributes = JSDynamicObject.getPropertyFlags(owner, key) & JSAttributes.ATTRIBUTES_MASK;
      JSObjectUtil.defineDataProperty(owner, key, value, attributes);
      return true;
    }
  }

  private static Object plain(Value value, JSRealm realm) {
    return switch (value) {
      case Value.Undefined _ -> Undefined.instance;
      case Value.Null _ -> Null.instance;
      case Value.Bool bool -> bool == Value.Bool.TRUE;
      case Value.Int64(long number) when number == (int) number -> (int) number;
      case Value.Num number -> number.asDouble();
      case Value.Text(String text) -> Strings.fromJavaString(text);
      case Value.Arr(List<Value> items) ->
          JSArray.createConstantObjectArray(
              realm.getContext(), realm, items.stream().map(item -> plain(item, realm)).toArray());
      case Value.Obj(Map<String, Value> members) -> {
        JSObject made = JSOrdinary.create(realm.getContext(), realm);
        members.forEach(
            (name, member) ->
                JSObjectUtil.putDataProperty(
                    made,
                    Strings.fromJavaString(name),
                    plain(member, realm),
                    JSAttributes.getDefault()));
        yield made;
      }
    };
  }
}
