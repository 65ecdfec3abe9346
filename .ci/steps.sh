# Sourced by .ci/run: one function a step. A step fails at its first failing command.

on_all_cores=(-n auto --dist loadscope) # tests of a module stay together: they share slow fixtures

run_lint() { "$bin/ruff" check .; }
run_format() { "$bin/ruff" format --check .; }
run_types() { "$bin/mypy" --strict calcgraph .ci/readme.py; }
run_layers() { "$bin/lint-imports" --no-logo; }
run_deps() { "$bin/deptry" --no-ansi .; }
run_tests() { "$bin/pytest" "${on_all_cores[@]}" --ignore=tests/differential | tee "$work/tests.log"; }

# Every exported workbook, recalculated by LibreOffice and two more engines, must agree with ours.
run_office() { "$bin/pytest" "${on_all_cores[@]}" tests/differential; }

# docs/calcgraph.schema.json as editors see it: the YAML language server judges sheets by it. The
# server comes from npm, which not every network allows; without it the step is skipped and says so.
# Step tests checks the same schema by jsonschema.
run_editor() {
    local home=$work/editor server=yaml-language-server@1.25.0
    if ! command -v npm >/dev/null && ! { apt-get update -qq &&
        apt-get install -qq -y --no-install-recommends nodejs npm >/dev/null; }; then
        echo "SKIPPED: there is no npm, and it cannot be installed"
        return
    fi
    if ! npm install --prefix "$home" --cache "$work/npm" --no-save --no-audit --no-fund --ignore-scripts \
        --fetch-retries 1 --fetch-timeout 30000 --loglevel error "$server"; then
        echo "SKIPPED: npm cannot install $server here (see above)"
        return
    fi
    CALCGRAPH_NEED_EDITOR=1 CALCGRAPH_YAML_SERVER=$home/node_modules/.bin/yaml-language-server \
        "$bin/pytest" tests/editor
}

run_bench() { "$bin/pytest" tests/bench; }

# checkout → sdist → wheel → a venv of its own, away from the checkout
run_wheel() {
    local dist=$work/dist venv=$work/wheel bundled
    "$bin/python" -m hatchling build -t sdist -d "$dist"
    "$bin/pip" wheel --quiet --no-deps --wheel-dir "$dist" "$dist"/calcgraph-*.tar.gz
    "$bin/python" -m venv "$venv"
    "$venv/bin/pip" install --quiet "$dist"/calcgraph-*.whl
    cd "$work"
    bundled=$("$venv/bin/python" -c 'import calcgraph, pathlib; print(pathlib.Path(calcgraph.__file__).parent / "_bundled")')
    diff -r "$clone/units" "$bundled/units"
    diff -r "$clone/sheets" "$bundled/sheets"
    "$venv/bin/calcgraph" --version
    "$venv/bin/python" -m calcgraph check "$bundled/sheets/llama70b.yaml"
    "$venv/bin/calcgraph" eval "$bundled/sheets/llama70b.yaml" --set gpus=512 --show best_plan --show cost
}

# The README's commands, in this clone and in fresh ones; one of them runs the tests.
run_readme() {
    if [[ ${CALCGRAPH_README-} ]]; then
        echo "skipped: the README itself runs this script"
        return
    fi
    CALCGRAPH_README=1 "$bin/python" .ci/readme.py
}

# Unit tests on the newest Python and pint we promise, where that Python is installed. Whole models
# take too long to run twice.
run_python312() {
    local python venv=$work/python312
    if ! python=$(find_python 'version == (3, 12)' python3.12 ~/.pyenv/versions/3.12*/bin/python3.12); then
        echo "skipped: there is no Python 3.12 on this machine"
        return
    fi
    "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet -e '.[test]' 'pint>=0.26,<0.27'
    "$venv/bin/python" -c 'import sys, pint; print("Python", sys.version.split()[0], "with pint", pint.__version__)'
    "$venv/bin/pytest" "${on_all_cores[@]}" --ignore=tests/differential --ignore=tests/models --ignore=tests/drafts \
        --ignore=tests/excel/test_acceptance.py
}
