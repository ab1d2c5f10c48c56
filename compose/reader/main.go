// Package main is the reference implementation of the compose specification as a WebAssembly reactor. It reads files
// from the in-memory file system that its host mounts, which holds the repository and nothing else.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/sirupsen/logrus"
)

type request struct {
	// Absolute paths; the first one's folder is the project's.
	ComposeFiles []string          `json:"composeFiles"`
	Environment  map[string]string `json:"environment"`
	Profiles     []string          `json:"profiles"`
	ProjectName  string            `json:"projectName"`
}

type response struct {
	Project  json.RawMessage `json:"project,omitempty"`
	Errors   []string        `json:"errors"`
	Warnings []string        `json:"warnings"`
}

// Buffers that the host holds an address of; the garbage collector must not move on while it reads them.
var input, output []byte

//go:wasmexport allocate
func allocate(size uint32) uint32 {
	input = make([]byte, size+1)
	return uint32(uintptr(unsafe.Pointer(&input[0])))
}

// read takes the request that was written to the allocated buffer and returns address and length of the response.
//
//go:wasmexport read
func read(size uint32) uint64 {
	var asked request
	answer := response{Errors: []string{}, Warnings: []string{}}
	if err := json.Unmarshal(input[:size], &asked); err != nil {
		answer.Errors = append(answer.Errors, err.Error())
	} else {
		warnings := &collector{}
		logrus.StandardLogger().ReplaceHooks(logrus.LevelHooks{})
		logrus.AddHook(warnings)
		project, err := load(asked)
		answer.Warnings = append(answer.Warnings, warnings.messages...)
		answer.Errors = append(answer.Errors, messages(err)...)
		answer.Project = project
	}
	input = nil
	output, _ = json.Marshal(answer)
	return uint64(uintptr(unsafe.Pointer(&output[0])))<<32 | uint64(len(output))
}

func load(asked request) (project json.RawMessage, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the compose reader failed: %v", cause)
		}
	}()
	directory := filepath.Dir(asked.ComposeFiles[0])
	// Included files are partly looked up relative to the working directory.
	if err := os.Chdir(directory); err != nil {
		return nil, err
	}
	environment := types.Mapping(asked.Environment)
	if environment == nil {
		environment = types.Mapping{}
	}
	if defaults := filepath.Join(directory, ".env"); exists(defaults) {
		values, err := dotenv.GetEnvFromFile(environment, []string{defaults})
		if err != nil {
			return nil, err
		}
		environment = environment.Merge(values)
	}
	profiles := asked.Profiles
	if len(profiles) == 0 && environment["COMPOSE_PROFILES"] != "" {
		profiles = strings.Split(environment["COMPOSE_PROFILES"], ",")
	}
	loaded, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir:  directory,
		ConfigFiles: types.ToConfigFiles(asked.ComposeFiles),
		Environment: environment,
	}, loader.WithProfiles(profiles), loader.WithDiscardEnvFiles, func(options *loader.Options) {
		options.SetProjectName(loader.NormalizeProjectName(asked.ProjectName), true)
	})
	if err != nil {
		return nil, err
	}
	return loaded.MarshalJSON(types.WithSecretContent)
}

func exists(path string) bool {
	information, err := os.Stat(path)
	return err == nil && !information.IsDir()
}

func messages(err error) []string {
	if err == nil {
		return nil
	}
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) && joined.(error).Error() == err.Error() {
		var all []string
		for _, part := range joined.Unwrap() {
			all = append(all, messages(part)...)
		}
		return all
	}
	return []string{err.Error()}
}

// collector keeps the warnings that the library logs.
type collector struct{ messages []string }

func (*collector) Levels() []logrus.Level { return []logrus.Level{logrus.WarnLevel, logrus.ErrorLevel} }

func (c *collector) Fire(entry *logrus.Entry) error {
	// Said once per file name and process, so it would come and go; translation reports the key itself.
	if !strings.Contains(entry.Message, "`version` is obsolete") {
		c.messages = append(c.messages, entry.Message)
	}
	return nil
}

func init() { logrus.SetOutput(io.Discard) }

func main() {}
