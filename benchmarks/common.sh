# shellcheck shell=sh
# Sourced by the scripts next to it and by deploy/image, which set root: finds a JDK, builds, and sets the class path.

say() { echo "benchmarks: $*" >&2; }

# The feature version of the JDK in folder $1, or 0. Read from its release file, without starting a JVM.
feature_version() {
    version=
    if [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ]; then
        if [ -r "$1/release" ]; then
            version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release")
        fi
        if [ -z "$version" ]; then
            version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
        fi
    fi
    echo "${version:-0}"
}

home_of_java_on_path() {
    java=$(command -v java) || return 0
    while [ -L "$java" ]; do
        link=$(readlink "$java")
        case $link in
            /*) java=$link ;;
            *) java=$(dirname "$java")/$link ;;
        esac
    done
    dirname "$(dirname "$java")"
}

# Sets jdk to one of version $1 or newer, by default 21, or exits.
find_jdk() {
    needed=${1:-21}
    for jdk in "${JAVA_HOME:-}" "$(home_of_java_on_path)" \
        /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.asdf/installs/java/*; do
        if [ -n "$jdk" ] && [ "$(feature_version "$jdk")" -ge "$needed" ]; then
            return
        fi
    done
    say "needs a JDK $needed or newer; found none in JAVA_HOME, on the PATH or in the usual folders. Install one, or set JAVA_HOME."
    exit 2
}

# Sets classpath, or exits.
build() {
    say "building ..."
    log=$root/benchmarks/target/build.log
    mkdir -p "$root/benchmarks/target" || exit 1
    if ! (cd "$root" && JAVA_HOME=$jdk ./mvnw -B -q -DskipTests -Denforcer.skip package -pl benchmarks -am) \
        >"$log" 2>&1 </dev/null; then
        tail -n 40 "$log" >&2
        say "the build failed; all of its output is in $log"
        exit 1
    fi
    classpath="$root/benchmarks/target/poolkeeper-benchmarks.jar:$root/benchmarks/target/lib/*"
}
