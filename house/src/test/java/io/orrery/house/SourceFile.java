package io.orrery.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * What the parser of the compiler finds in one file.
 *
 * @param types simple names of all declared types
 * @param methods methods and constructors with their length
 */
record SourceFile(List<String> types, List<Method> methods) {

  record Method(String name, long lines) {}

  static SourceFile parse(Path file) throws IOException {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjects(file.toFile()));
      var types = new ArrayList<String>();
      var methods = new ArrayList<Method>();
      for (CompilationUnitTree unit : task.parse()) {
        new Collector(unit, Trees.instance(task), types, methods).scan(unit, null);
      }
      return new SourceFile(types, methods);
    }
  }

  private static final class Collector extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final Trees trees;
    private final List<String> types;
    private final List<Method> methods;

    Collector(CompilationUnitTree unit, Trees trees, List<String> types, List<Method> methods) {
      this.unit = unit;
      this.trees = trees;
      this.types = types;
      this.methods = methods;
    }

    @Override
    public Void visitClass(ClassTree type, Void none) {
      types.add(type.getSimpleName().toString());
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void none) {
      var positions = trees.getSourcePositions();
      var lines = unit.getLineMap();
      long end = positions.getEndPosition(unit, method);
      if (end >= 0) {
        long first = lines.getLineNumber(positions.getStartPosition(unit, method));
        methods.add(new Method(method.getName().toString(), lines.getLineNumber(end) - first + 1));
      }
      return super.visitMethod(method, null);
    }
  }
}
