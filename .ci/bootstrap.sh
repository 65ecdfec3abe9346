# Sourced by .ci/run: the environment of every step, system packages, and the .venv.

# The second line is for step office: a spreadsheet that computes and prints our workbooks.
system_packages=(git python3-venv
    libreoffice-calc python3-uno fonts-liberation fonts-crosextra-carlito poppler-utils)

# Environment: temporary files in $work, nothing inherited from the shell of the caller.
export_environment() {
    export TMPDIR=$work CALCGRAPH_CACHE=$work/cache
    export CALCGRAPH_NEED_OFFICE=1 # a missing LibreOffice is a failure here, not a skip
    export NO_COLOR=1 LC_ALL=C.UTF-8 PYTHONNOUSERSITE=1
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 DEBIAN_FRONTEND=noninteractive
    # Tests run on the Python a user has: no module paths from outside, byte code written as usual.
    unset PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE VIRTUAL_ENV COLUMNS
    # Let git read a clone that belongs to another user, such as a mounted folder.
    export GIT_CONFIG_GLOBAL=$work/gitconfig
    printf '[include]\n\tpath = ~/.gitconfig\n[safe]\n\tdirectory = "%s"\n\tdirectory = "%s/.git"\n' \
        "$clone" "$clone" >"$GIT_CONFIG_GLOBAL"
}

install_system_packages() {
    command -v dpkg-query >/dev/null || { echo "not a Debian: no system package is installed" && return; }
    local missing=() package
    for package in "${system_packages[@]}"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    if ((${#missing[@]} == 0)); then
        echo "system packages: all there"
    elif ((EUID == 0)); then
        apt-get update -qq
        apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
        echo "system packages: installed ${missing[*]}"
    else
        echo "system packages: only root can install ${missing[*]}; going on without"
    fi
}

# Print the first candidate that meets the condition on `version` and can make virtual environments.
find_python() { # condition, candidates…
    local condition=$1 candidate
    shift
    for candidate in "$@"; do
        if "$candidate" -c "import ensurepip, sys, venv; version = sys.version_info[:2]; sys.exit(not ($condition))" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# From a bare machine to a fresh .venv with all development tools.
bootstrap() {
    local python
    install_system_packages
    python=$(find_python 'version >= (3, 11)' python3 /usr/bin/python3 python3.11 python3.12 python3.13) || {
        echo "no python3 of at least 3.11 that can make a virtual environment"
        return 1
    }
    "$python" -m venv --clear .venv
    "$bin/pip" install --quiet -e '.[dev]'
    echo "$("$bin/python" --version) from $(command -v "$python")"
}
